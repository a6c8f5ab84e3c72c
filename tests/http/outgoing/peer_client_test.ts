import assert from "node:assert/strict";
import { CountersignError, ERROR_CODES } from "../../../src/base/errors.ts";
import {
  type CrossAnchorRequest,
  parseCrossAnchorRequest,
  peerCosignatureMembers,
} from "../../../src/proof/format/federation.ts";
import { problemResponse, STATUS } from "../../../src/http/problem.ts";
import { FakeClock } from "../../fake_clock.ts";
import { freePorts } from "../../free_ports.ts";
import { peerApp, peerClient, TOKEN } from "../../gateway/federation/peer_server.ts";
import { mesh, Site } from "../../gateway/federation/site.ts";
import { eachScheme } from "../../schemes.ts";
import { withCode } from "../../witness/fixture.ts";
import { type Handler, patience, served } from "./fixture.ts";

const clock = new FakeClock();
const home = new Site("home.example", clock);
const peer = new Site("peer.example", clock);
mesh([home, peer]);
const head = await home.publish(5);
const request: CrossAnchorRequest = { ...head, minWitnesses: 2, growth: [] };

/** A recorded request. */
const ID = "0123456789abcdef";

Deno.test("new HttpPeerClient() rejects http: beyond loopback unless insecure", () => {
  assert.throws(() => peerClient(peer, "http://peer.example"), withCode("invalid_configuration"));
  peerClient(peer, "http://peer.example", { insecure: true });
  peerClient(peer, "https://peer.example");
});

eachScheme.test("HttpPeerClient returns cosignatures, sizes and refusals unchanged", async (scheme) => {
  const clock = new FakeClock();
  const home = new Site("home.example", clock);
  const peer = new Site("peer.example", clock, { scheme });
  mesh([home, peer]);
  await served(peerApp(peer, clock), async (url) => {
    const client = peerClient(peer, url);
    const first = { ...await home.publish(5), minWitnesses: 3, growth: [] };
    const answer = await client.crossAnchor(first, patience());
    const direct = await peer.intake.take(home.id, first, patience());
    assert.deepEqual(answer, direct);
    assert.equal(answer.kind, "cosigned");
    const next = { ...await home.publish(2), minWitnesses: 2, growth: [] };
    const required = await client.crossAnchor(next, patience());
    assert.deepEqual(required, { kind: "sizes_required", sizes: [5] });
    const growth = [{ oldSize: 5, path: await home.consistencyPath(5, 7) }];
    assert.equal((await client.crossAnchor({ ...next, growth }, patience())).kind, "cosigned");
    const unsigned = { ...next, growth, logSignature: new Uint8Array(64) };
    await assert.rejects(client.crossAnchor(unsigned, patience()), {
      code: "peer_refused",
      message: /422 tree_head_refused/,
    });
    for (const witness of peer.witnesses) witness.down = true;
    await assert.rejects(client.crossAnchor({ ...next, growth }, patience()), {
      code: "peer_unreachable",
      message: /503 witnesses_unavailable/,
    });
  });
});

Deno.test("HttpPeerClient.crossAnchor() posts below the path of its URL, with the token in one header", async () => {
  const seen: string[] = [];
  const handler: Handler = async (asked) => {
    const { pathname, search } = new URL(asked.url);
    const headers = [...asked.headers].filter(([, value]) => value.includes(TOKEN));
    assert.deepEqual(headers, [["authorization", `Bearer ${TOKEN}`]]);
    const text = await asked.text();
    assert.ok(!text.includes(TOKEN));
    assert.deepEqual(parseCrossAnchorRequest(text), request);
    seen.push(`${asked.method} ${pathname}${search}`);
    return problemResponse(new CountersignError("internal", "no"), { id: ID });
  };
  await served(handler, async (url) => {
    for (const base of [`${url}/op`, `${url}/op/`]) {
      const asking = peerClient(peer, base).crossAnchor(request, patience());
      await assert.rejects(asking, (error: Error) => {
        assert.ok(!JSON.stringify([error.message, String(error.stack)]).includes(TOKEN));
        return error instanceof CountersignError && error.code === "peer_unreachable";
      });
    }
  });
  assert.deepEqual(new Set(seen), new Set(["POST /op/v1/federation/tree-heads"]));
});

Deno.test("HttpPeerClient.crossAnchor() asks the next gateway of a standby or one that is away", async () => {
  const asked = [0, 0];
  let active = 1;
  const gateway = (index: number): Handler => async (request) => {
    asked[index]!++;
    if (index === active) return await peerApp(peer, clock)(request);
    return problemResponse(new CountersignError("standby", "no"), { id: ID });
  };
  await served(gateway(0), (first) =>
    served(gateway(1), async (second) => {
      const urls = ["http://127.0.0.1:9", first, second];
      const client = peerClient(peer, first, { urls });
      assert.equal((await client.crossAnchor(request, patience())).kind, "cosigned");
      assert.deepEqual(asked, [1, 1]);
      assert.equal((await client.crossAnchor(request, patience())).kind, "cosigned");
      assert.deepEqual(asked, [1, 2]);
      active = 0;
      assert.equal((await client.crossAnchor(request, patience())).kind, "cosigned");
      assert.deepEqual(asked, [2, 3]);
      active = 2;
      await assert.rejects(client.crossAnchor(request, patience()), {
        code: "peer_unreachable",
      });
      assert.deepEqual(asked, [3, 4]);
    }));
});

Deno.test("HttpPeerClient.crossAnchor() does not follow redirects with its token", async () => {
  let elsewhere = 0;
  await served(() => {
    elsewhere++;
    return Response.json({});
  }, async (target) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const handler: Handler = () =>
        new Response(null, { status, headers: { Location: `${target}/v1/federation/tree-heads` } });
      await served(handler, async (url) => {
        const asking = peerClient(peer, url).crossAnchor(request, patience());
        await assert.rejects(asking, withCode("peer_refused"));
      });
    }
  });
  assert.equal(elsewhere, 0);
});

async function codeOf(handler: Handler): Promise<string> {
  let code = "accepted";
  await served(handler, async (url) => {
    await peerClient(peer, url).crossAnchor(request, patience()).catch((error) => {
      code = error instanceof CountersignError ? error.code : String(error);
    });
  });
  return code;
}

Deno.test("HttpPeerClient.crossAnchor() rejects malformed answers", async () => {
  const answer = await peer.intake.take(home.id, request, patience());
  assert.ok(answer.kind === "cosigned");
  const good = peerCosignatureMembers(peer.id, answer.cosignature);
  assert.equal(await codeOf(() => Response.json(good)), "accepted");
  const bodies: unknown[] = [
    [],
    {},
    { ...good, witnessing_network: "other.example" },
    { ...good, tree_head: undefined },
    { ...good, more: 1 },
    { ...good, signer: [] },
    { ...good, signatures: undefined },
    { ...good, signers: ["a"], signature: "00".repeat(48) },
  ];
  for (const body of bodies) {
    assert.equal(await codeOf(() => Response.json(body)), "peer_refused", JSON.stringify(body));
  }
  for (const text of ["", "{", "<html>", `${JSON.stringify(good)}x`]) {
    assert.equal(await codeOf(() => new Response(text)), "peer_refused", text.slice(0, 20));
  }
  const long = JSON.stringify(good) + " ".repeat(256 * 1024);
  assert.equal(await codeOf(() => new Response(long)), "peer_refused");
  for (
    const sizes of [
      undefined,
      [],
      ["1"],
      [2, 1],
      [1, 1],
      [1.5],
      [-1],
      Array.from({ length: 17 }, (_, i) => i),
    ]
  ) {
    const status = 409;
    assert.equal(await codeOf(() => Response.json({ sizes }, { status })), "peer_refused");
  }
});

Deno.test("HttpPeerClient.crossAnchor() distinguishes transient failures from refusals", async () => {
  for (const code of ERROR_CODES) {
    const answered = problemResponse(new CountersignError(code, "Cannot: a test"), { id: ID });
    const { status } = answered;
    if (status === 409) continue;
    const expected = STATUS[code] >= 500 || STATUS[code] === 429
      ? "peer_unreachable"
      : "peer_refused";
    assert.equal(await codeOf(() => answered), expected, code);
  }
  for (const status of [429, 502, 504]) {
    assert.equal(await codeOf(() => new Response("busy", { status })), "peer_unreachable");
  }
  assert.equal(await codeOf(() => new Response("no", { status: 418 })), "peer_refused");
  const words = [
    () => problemResponse(new CountersignError("tree_head_refused", "STRANGE WORDS"), { id: ID }),
    () => Response.json({ code: "STRANGE WORDS" }, { status: 422 }),
    () => new Response("STRANGE WORDS", { status: 503 }),
  ];
  for (const spoken of words) {
    await served(spoken, async (url) => {
      const asking = peerClient(peer, url).crossAnchor(request, patience());
      await assert.rejects(asking, (error: Error) => !error.message.includes("STRANGE"));
    });
  }
});

Deno.test("HttpPeerClient.crossAnchor() times out after 30 s, and stops when its signal aborts", async () => {
  const clock = new FakeClock();
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const handler: Handler = async () => {
    asked.resolve();
    await held.promise;
    return Response.json({});
  };
  await served(handler, async (url) => {
    const client = peerClient(peer, url, { clock });
    const late = assert.rejects(
      client.crossAnchor(request, new AbortController().signal),
      withCode("peer_unreachable"),
    );
    await asked.promise;
    await clock.advance(29_999);
    assert.equal(clock.sleeping, 1);
    await clock.advance(1);
    await late;
    assert.equal(clock.sleeping, 0);
    const stop = new AbortController();
    const stopped = assert.rejects(client.crossAnchor(request, stop.signal));
    stop.abort();
    await stopped;
    await assert.rejects(client.crossAnchor(request, AbortSignal.abort()));
    assert.equal(clock.sleeping, 0);
    held.resolve();
  });
  const url = `http://127.0.0.1:${freePorts(1)}`;
  const nobody = peerClient(peer, url).crossAnchor(request, patience());
  await assert.rejects(nobody, withCode("peer_unreachable"));
});
