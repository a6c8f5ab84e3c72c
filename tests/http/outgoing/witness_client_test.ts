import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { CountersignError, ERROR_CODES } from "../../../src/base/errors.ts";
import { problemResponse } from "../../../src/http/problem.ts";
import {
  forkedTree,
  NETWORK,
  signerOf,
  TestLog,
  withCode,
  WITNESS_ID,
} from "../../witness/fixture.ts";
import { clientOf, type Handler, patience, round, served, TOKEN } from "./fixture.ts";

const head = new TestLog().request(forkedTree("tree", 4, 40), 0, 5);

Deno.test("new HttpWitnessClient() rejects http: beyond loopback unless insecure", () => {
  assert.throws(() => clientOf("http://witness.example"), withCode("invalid_configuration"));
  clientOf("http://witness.example", { insecure: true });
  clientOf("https://witness.example");
});

Deno.test("HttpWitnessClient posts below the path of its URL, with its token", async () => {
  const seen: string[] = [];
  const handler: Handler = (request) => {
    seen.push(`${request.method} ${new URL(request.url).pathname}`);
    seen.push(request.headers.get("Authorization") ?? "none");
    return Response.json({ signature: "00".repeat(64) });
  };
  await served(handler, async (url) => {
    for (const base of [`${url}/w1`, `${url}/w1/`]) await clientOf(base).sign(round(), patience());
  });
  assert.deepEqual(new Set(seen), new Set(["POST /w1/v1/sign", `Bearer ${TOKEN}`]));
});

Deno.test("HttpWitnessClient reuses its connection", async () => {
  const ports = new Set<number>();
  const handler: Handler = (_request, port) => {
    ports.add(port);
    return Response.json({ signature: "00".repeat(64) });
  };
  await served(handler, async (url) => {
    const client = clientOf(url);
    for (let i = 0; i < 5; i++) await client.sign(round(), patience());
  });
  assert.equal(ports.size, 1);
});

Deno.test("HttpWitnessClient.checkHealth() requires the configured witness", async () => {
  const publicKey = signerOf(WITNESS_ID).publicKey;
  const good = {
    id: WITNESS_ID,
    pubkey: publicKey.toHex(),
    network_id: NETWORK,
    size: 0,
    signed_end: 0,
  };
  const answers: [unknown, boolean][] = [
    [good, true],
    [{ ...good, proof_of_possession: "00" }, true],
    [{ ...good, id: `${NETWORK}/w2` }, false],
    [{ ...good, pubkey: signerOf("other").publicKey.toHex() }, false],
    [{ ...good, pubkey: good.pubkey.toUpperCase() }, false],
    [{ ...good, network_id: "log.example/other" }, false],
    [{}, false],
    [[], false],
    ["ok", false],
  ];
  for (const [answer, healthy] of answers) {
    await served(() => Response.json(answer), async (url) => {
      const checking = clientOf(url).checkHealth(patience());
      if (healthy) await checking;
      else await assert.rejects(checking, withCode("witness_refused"));
    });
  }
});

Deno.test("HttpWitnessClient.checkHealth() probes with its token, and rejects with the witness's refusal", async () => {
  const seen: string[] = [];
  const codes: [number, string, string][] = [
    [403, "token_refused", "token_refused"],
    [401, "token_required", "token_required"],
    [503, "storage_failed", "witness_storage_failed"],
    [500, "internal", "witness_refused"],
  ];
  for (const [status, code, expected] of codes) {
    const handler: Handler = (request) => {
      seen.push(`${request.method} ${new URL(request.url).pathname}`);
      seen.push(request.headers.get("Authorization") ?? "none");
      return Response.json({ code }, { status });
    };
    await served(handler, async (url) => {
      await assert.rejects(clientOf(url).checkHealth(patience()), withCode(expected));
    });
  }
  assert.deepEqual(new Set(seen), new Set(["POST /v1/probe", `Bearer ${TOKEN}`]));
});

Deno.test("HttpWitnessClient.reach() requires the configured witness to say what it signed", async () => {
  const pubkey = signerOf(WITNESS_ID).publicKey.toHex();
  const identity = { id: WITNESS_ID, pubkey, network_id: NETWORK };
  const root = "ab".repeat(32);
  const reached = { ...identity, size: 5, root_hash: root, signed_end: 7 };
  await served(() => Response.json(reached), async (url) => {
    const reach = await clientOf(url).reach(patience());
    assert.deepEqual(reach, { size: 5, root: Uint8Array.fromHex(root), signedEnd: 7 });
  });
  for (
    const answer of [
      identity,
      { ...reached, id: `${NETWORK}/w2` },
      { ...reached, signed_end: -1 },
      { ...reached, size: "5" },
      { ...reached, root_hash: "ab" },
    ]
  ) {
    await served(() => Response.json(answer), async (url) => {
      await assert.rejects(clientOf(url).reach(patience()), withCode("witness_refused"));
    });
  }
});

Deno.test("HttpWitnessClient.roundsFrom() takes at most 32 rounds, each of 1 to 512 hashes", async () => {
  const named = { first_sequence: 7, size: 1, timestamp: 9, beacon: null, root: "ab".repeat(32) };
  const answers: [unknown[], boolean][] = [
    [[], true],
    [[named, { ...named, first_sequence: 8, size: 512 }], true],
    [Array(32).fill(named), true],
    [Array(33).fill(named), false],
    [[{ ...named, size: 0 }], false],
    [[{ ...named, size: 513 }], false],
    [[{ ...named, size: 2 ** 53 - 1 }], false],
  ];
  for (const [rounds, isRight] of answers) {
    await served(() => Response.json({ rounds }), async (url) => {
      const asked = clientOf(url).roundsFrom(0, patience());
      if (isRight) assert.equal((await asked).length, rounds.length);
      else await assert.rejects(asked, withCode("witness_refused"));
    });
  }
});

Deno.test("HttpWitnessClient.checkHealth() names the place of a witness that only cosigns checkpoints", async () => {
  await served(() => new Response("404 page not found", { status: 404 }), async (url) => {
    const checking = clientOf(url).checkHealth(patience());
    await assert.rejects(checking, /configure it under witnessing in network\.json/);
  });
});

/** The results of `sign` and `cosign` for one answer. */
async function codesOf(handler: Handler): Promise<string[]> {
  const codes: string[] = [];
  await served(handler, async (url) => {
    const client = clientOf(url);
    const asked: (() => Promise<unknown>)[] = [
      () => client.sign(round(), patience()),
      () => client.cosign(head, patience()),
    ];
    for (const ask of asked) {
      const code = await ask().then(
        () => "accepted",
        (error) => error instanceof CountersignError ? error.code : String(error),
      );
      codes.push(code);
    }
  });
  return codes;
}

Deno.test("HttpWitnessClient rejects malformed answers", async () => {
  const hex = "0a".repeat(64);
  const bodies = [
    "",
    "{",
    "<html>",
    "[]",
    '"x"',
    "{}",
    JSON.stringify({ signature: hex.toUpperCase() }),
    JSON.stringify({ signature: hex.slice(2) }),
    JSON.stringify({ signature: `${hex}00` }),
    JSON.stringify({ signature: [hex] }),
    `{"signature":"${hex}","signature":"${hex}"}`,
    JSON.stringify({ signature: hex, padding: "x".repeat(16 * 1024) }),
  ];
  for (const body of bodies) {
    const codes = await codesOf(() => new Response(body));
    assert.deepEqual(codes, ["witness_refused", "witness_refused"], body.slice(0, 40));
  }
  const latin = await codesOf(() => new Response(Uint8Array.of(0x22, 0xff, 0x22)));
  assert.deepEqual(latin, ["witness_refused", "witness_refused"]);
  // The id in an answer is ignored: the caller verifies with the configured key.
  const answer = { witness_id: "someone/else", signature: hex };
  assert.deepEqual(await codesOf(() => Response.json(answer)), ["accepted", "accepted"]);
});

Deno.test("HttpWitnessClient limits the size of an answer", async () => {
  const endless = () =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(utf8(" ".repeat(4096))),
    });
  const codes = await codesOf(() => new Response(endless()));
  assert.deepEqual(codes, ["witness_refused", "witness_refused"]);
});

Deno.test("HttpWitnessClient does not follow redirects with its token", async () => {
  const thieves: string[] = [];
  await served((request) => {
    thieves.push(request.headers.get("Authorization") ?? "none");
    return Response.json({ signature: "00".repeat(64) });
  }, async (elsewhere) => {
    for (const status of [301, 307, 308]) {
      const codes = await codesOf(() =>
        new Response(null, { status, headers: { Location: elsewhere } })
      );
      assert.deepEqual(codes, ["witness_unreachable", "witness_unreachable"]);
    }
  });
  assert.deepEqual(thieves, []);
});

Deno.test("HttpWitnessClient passes on only the refusals of protocol.md", async () => {
  const own = [
    "malformed_json",
    "malformed_request",
    "malformed_text",
    "body_too_large",
    "token_required",
    "token_refused",
    "network_refused",
    "log_signature_refused",
    "sequence_conflict",
    "round_conflict",
    "time_refused",
    "consistency_refused",
    "beacon_refused",
    "epoch_mismatch",
    "overloaded",
    "signer_unavailable",
  ];
  for (const code of [...ERROR_CODES, "invented", "__proto__"]) {
    const body = { code, detail: "\u001b[2J a stranger's words" };
    const codes = await codesOf(() => Response.json(body, { status: 422 }));
    const refused = code === "storage_failed" ? "witness_storage_failed" : "witness_refused";
    const expected = own.includes(code) ? code : refused;
    assert.deepEqual(codes, [expected, expected]);
  }
});

Deno.test("HttpWitnessClient.cosign() requires a size in a 409", async () => {
  const conflict = (size?: unknown) =>
    Response.json({ code: "tree_size_conflict", ...(size !== undefined && { size }) }, {
      status: 409,
    });
  const rows: [unknown, string][] = [
    [undefined, "witness_refused"],
    ["5", "witness_refused"],
    [-1, "witness_refused"],
    [1.5, "witness_refused"],
    [2 ** 53, "witness_refused"],
    [5, "accepted"],
  ];
  for (const [size, expected] of rows) {
    const [, cosigning] = await codesOf(() => conflict(size));
    assert.equal(cosigning, expected);
  }
  // A problem as our witness sends it: a code and a size.
  const error = new CountersignError("tree_size_conflict", "Cannot cosign");
  await served(
    () => problemResponse(error, { id: "0123456789abcdef" }, { members: { size: 9 } }),
    async (url) => {
      assert.deepEqual(await clientOf(url).cosign(head, patience()), {
        kind: "size_conflict",
        size: 9,
      });
    },
  );
});

Deno.test("HttpWitnessClient.cosign() takes an ML-DSA-44 signature of the right length, and no other", async () => {
  const signature = "ab".repeat(64);
  const further = "cd".repeat(2420);
  for (const value of [further, undefined, "", further.slice(2), further.toUpperCase(), 5, null]) {
    await served(
      () => Response.json({ witness_id: "w1", signature, ml_dsa_signature: value }),
      async (url) => {
        assert.deepEqual(await clientOf(url).cosign(head, patience()), {
          kind: "cosigned",
          signature: Uint8Array.fromHex(signature),
          ...(value === further && { mlDsaSignature: Uint8Array.fromHex(further) }),
        });
      },
    );
  }
});

Deno.test("HttpWitnessClient stops when its signal aborts", async () => {
  const { promise: never, resolve: release } = Promise.withResolvers<Response>();
  await served(() => never, async (url) => {
    const stop = new AbortController();
    const signing = clientOf(url).sign(round(), stop.signal);
    const slow = setTimeout(() => stop.abort(), 20);
    await assert.rejects(signing, withCode("witness_unreachable"));
    clearTimeout(slow);
    release(new Response());
  });
});

Deno.test("HttpWitnessClient stops while it reads an answer", async () => {
  const dripping = () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(utf8('{"signature":')),
      }),
    );
  await served(dripping, async (url) => {
    const signing = clientOf(url).sign(round(), AbortSignal.timeout(50));
    await assert.rejects(signing, withCode("witness_unreachable"));
  });
});

Deno.test("HttpWitnessClient rejects with witness_unreachable at a closed port", async () => {
  let gone = "";
  await served(() => new Response(), (url) => {
    gone = url;
    return Promise.resolve();
  });
  await assert.rejects(clientOf(gone).sign(round(), patience()), withCode("witness_unreachable"));
});
