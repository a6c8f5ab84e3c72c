import assert from "node:assert/strict";
import { type ErrorCode, hasCode } from "../../src/base/errors.ts";
import { GatewayClient, type GatewayClientOptions } from "../../src/client/gateway_client.ts";
import { GatewayRefusal } from "../../src/proof/format/gateway_refusal.ts";
import { problem, StubGateway } from "../cli/stub_gateway.ts";
import { withGateway as withRealGateway } from "../http/gateway_server.ts";
import { SCHEMES } from "../schemes.ts";
import { digestOf, makeLog, TestNetwork } from "../proof/verify/fixture.ts";

const network = new TestNetwork("net.example/client");
const log = makeLog(network);
const HASH = log.attestations[3]!.attestation.hash;

async function withGateway(
  use: (client: GatewayClient, gateway: StubGateway) => Promise<void>,
  options: Partial<GatewayClientOptions> = {},
): Promise<void> {
  await using gateway = new StubGateway(log, [4, 8, 12]);
  await use(new GatewayClient({ url: new URL(gateway.url), ...options }), gateway);
}

function isRefusal(status: number, reason: string | undefined) {
  return (error: unknown) =>
    error instanceof GatewayRefusal && error.code === "gateway_refused" &&
    error.status === status && error.reason === reason;
}

/** A clock that records pauses and does not wait. */
function pausing(pauses: number[]) {
  return {
    nowMs: () => Date.now(),
    elapsedMs: () => performance.now(),
    sleep(ms: number) {
      pauses.push(ms);
      return Promise.resolve();
    },
  };
}

Deno.test("GatewayClient returns the text and the parsed value of every answer", async () => {
  await withGateway(async (client, gateway) => {
    const answers = [
      [await client.network(), network.configuration],
      [await client.job(HASH, 0), gateway.job(HASH)],
      [await client.bundle(HASH), gateway.bundle(3)],
      [await client.merkleProof(HASH), gateway.bundle(3).batch_inclusion?.merkle_proof],
      [await client.anchors(HASH), []],
      [await client.sth(), gateway.sth(12)],
      [await client.sth(8), gateway.sth(8)],
      [await client.consistency(4, 8), log.consistencyProof(gateway.sth(4), gateway.sth(8))],
      [await client.inclusion(HASH, 8), log.inclusionProof(3, gateway.sth(8))],
    ] as const;
    for (const [{ text, value }, expected] of answers) {
      assert.deepEqual(value, expected);
      assert.deepEqual(JSON.parse(text), expected);
    }
  });
});

Deno.test("GatewayClient resolves routes below the path of its URL", async () => {
  await withGateway(async (_, gateway) => {
    const client = new GatewayClient({ url: new URL(`${gateway.url}/below/`) });
    await assert.rejects(client.network(), isRefusal(404, "route_not_found"));
    assert.deepEqual(gateway.requests, ["GET /below/v1/network"]);
  });
});

Deno.test("GatewayRefusal has the status and the code, and no unchecked text", async () => {
  await withGateway(async (client, gateway) => {
    await assert.rejects(client.job(digestOf("none"), 0), isRefusal(404, "hash_unknown"));
    const cases: readonly (readonly [Response, number, string | undefined])[] = [
      [problem(429, "overloaded"), 429, "overloaded"],
      [problem(500, "made_up"), 500, undefined],
      [new Response("<html>", { status: 502 }), 502, undefined],
      [new Response(null, { status: 500 }), 500, undefined],
      [new Response(new Uint8Array([0xff]), { status: 500 }), 500, undefined],
      [Response.json({ code: 7 }, { status: 400 }), 400, undefined],
      [Response.json([], { status: 400 }), 400, undefined],
    ];
    for (const [response, status, reason] of cases) {
      gateway.lies.set("/v1/network", () => response);
      await assert.rejects(client.network(), isRefusal(status, reason));
    }
  });
});

Deno.test("GatewayClient reports an unreachable gateway, and does not follow redirects", async () => {
  const nowhere = new GatewayClient({ url: new URL("http://127.0.0.1:9/") });
  await assert.rejects(nowhere.network(), (error) => hasCode(error, "gateway_unreachable"));
  await withGateway(async (client, gateway) => {
    gateway.lies.set("/v1/network", () => Response.redirect(`${gateway.url}/v1/config`, 307));
    await assert.rejects(client.network(), isRefusal(307, undefined));
    assert.deepEqual(gateway.requests, ["GET /v1/network"]);
  });
});

Deno.test("GatewayClient asks the next gateway while one is away, and stays with it", async () => {
  await withGateway(async (_, first) => {
    await using second = new StubGateway(log, [4]);
    const nowhere = new URL("http://127.0.0.1:9/");
    const others = [nowhere, new URL(second.url)];
    const client = new GatewayClient({ url: new URL(first.url), others });
    first.lies.set("/v1/log/sth", () => problem(503, "standby"));
    for (let asked = 0; asked < 2; asked++) {
      assert.deepEqual((await client.sth()).value, first.sth(4));
    }
    assert.deepEqual([first.requests.length, second.requests.length], [1, 2]);
    // An answer of one is final unless it is away.
    second.lies.set("/v1/log/sth", () => problem(429, "overloaded"));
    await assert.rejects(client.sth(), isRefusal(429, "overloaded"));
    assert.equal(first.requests.length, 1);
    // While all are away, the refusal says more than the missing answer.
    second.lies.set("/v1/log/sth", () => problem(503, "standby"));
    first.lies.set("/v1/log/sth", () => problem(502, "storage_failed"));
    await assert.rejects(client.sth(), isRefusal(503, "standby"));
    const unreachable = new GatewayClient({
      url: nowhere,
      others: [new URL("http://127.0.0.1:1/")],
    });
    await assert.rejects(unreachable.sth(), (error) => hasCode(error, "gateway_unreachable"));
  });
});

Deno.test("GatewayClient stops after its timeout, and when its signal aborts", async () => {
  const held = Promise.withResolvers<Response>();
  await withGateway(async (client, gateway) => {
    gateway.lies.set("/v1/network", () => held.promise);
    await assert.rejects(client.network(), (error) => hasCode(error, "gateway_unreachable"));
    const patient = new GatewayClient({ url: new URL(gateway.url) });
    const asking = new AbortController();
    const answer = patient.network(asking.signal);
    asking.abort();
    await assert.rejects(answer, { name: "AbortError" });
    held.resolve(problem(500, "internal"));
  }, { timeoutMs: 50 });
});

Deno.test("GatewayClient limits the size of an answer", async () => {
  await withGateway(async (client, gateway) => {
    let sent = 0;
    gateway.lies.set("/v1/network", () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 1 << 20;
            controller.enqueue(new Uint8Array(1 << 20));
          },
        }),
      ));
    await assert.rejects(client.network(), (error) => hasCode(error, "gateway_refused"));
    assert.ok(sent < 64 << 20);
  });
});

Deno.test("GatewayClient rejects malformed answers", async () => {
  await withGateway(async (client, gateway) => {
    const job = gateway.job(HASH);
    const { signed_attestation: _, ...unsigned } = job;
    const malformed: readonly unknown[] = [
      null,
      {},
      { ...job, status: "done" },
      { ...job, progress: "done" },
      { ...job, attempts: -1 },
      { ...job, created_at: 1.5 },
      { ...job, hash: HASH.toUpperCase() },
      unsigned,
      { ...job, status: "pending" },
      { ...job, signed_attestation: { ...log.attestations[3], extra: 1 } },
      { ...job, last_error: "x" },
      { ...job, progress: "unconfirmed" },
      { ...job, progress: "confirmed" },
      { ...job, batch_id: undefined },
    ];
    for (const answer of malformed) {
      gateway.lies.set(`/v1/attestations/${HASH}`, () => Response.json(answer));
      await assert.rejects(client.job(HASH, 0), (error) => hasCode(error, "malformed_bundle"));
    }
    gateway.lies.set(
      `/v1/attestations/${HASH}`,
      () =>
        new Response(JSON.stringify(job).replace('"attempts":1', '"attempts":1,"attempts":1'), {
          headers: { "Content-Type": "application/json" },
        }),
    );
    await assert.rejects(client.job(HASH, 0), (error) => hasCode(error, "malformed_bundle"));
    const page = { headers: { "Content-Type": "text/html" } };
    gateway.lies.set(
      `/v1/attestations/${HASH}`,
      () => new Response(JSON.stringify(job), page),
    );
    await assert.rejects(client.job(HASH, 0), (error) => hasCode(error, "gateway_refused"));
    // Members of a later version are ignored.
    gateway.lies.set(`/v1/attestations/${HASH}`, () => Response.json({ ...job, later: true }));
    assert.equal((await client.job(HASH, 0)).value.status, "confirmed");
    gateway.lies.set("/v1/config", () => Response.json({ id: "x" }));
    await assert.rejects(client.config(), (error) => hasCode(error, "gateway_refused"));
    gateway.lies.set(`/v1/anchors/${HASH}`, () => Response.json({}));
    await assert.rejects(client.anchors(HASH), (error) => hasCode(error, "gateway_refused"));
  });
});

Deno.test("GatewayClient.submit() uses the bulk route for more than one hash", async () => {
  await withGateway(async (client, gateway) => {
    const hashes = log.attestations.slice(0, 3).map(({ attestation }) => attestation.hash);
    assert.deepEqual(await client.submit([HASH], 0), [gateway.job(HASH)]);
    assert.deepEqual(await client.submit(hashes, 5), hashes.map((hash) => gateway.job(hash)));
    assert.deepEqual(gateway.requests, ["POST /v1/attestations", "POST /v1/attestations/batch"]);
  });
});

Deno.test("GatewayClient.submit() rejects jobs of other or fewer hashes", async () => {
  await withGateway(async (client, gateway) => {
    const [a, b] = log.attestations.map(({ attestation }) => attestation.hash);
    for (const answer of [[], [gateway.job(a!)], [gateway.job(b!), gateway.job(a!)]]) {
      gateway.lies.set("/v1/attestations/batch", () => Response.json(answer));
      const submitted = client.submit([a!, b!], 0);
      await assert.rejects(submitted, (error) => hasCode(error, "gateway_refused"));
    }
    gateway.lies.set("/v1/attestations", () => Response.json(gateway.job(b!)));
    await assert.rejects(client.submit([a!], 0), (error) => hasCode(error, "gateway_refused"));
  });
});

Deno.test("GatewayClient.submit() retries a few times, after Retry-After", async () => {
  const pauses: number[] = [];
  await withGateway(async (client, gateway) => {
    const busy = [
      problem(503, "overloaded", { "Retry-After": "2" }),
      problem(429, "overloaded"),
      problem(503, "overloaded", { "Retry-After": "86400" }),
      problem(503, "overloaded", { "Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT" }),
    ];
    gateway.lies.set(
      "/v1/attestations",
      () => busy.shift() ?? Response.json(gateway.job(HASH)),
    );
    assert.equal((await client.submit([HASH], 0))[0]?.status, "confirmed");
    assert.deepEqual(pauses, [2_000, 1_000, 10_000, 1_000]);
    gateway.lies.set("/v1/attestations", () => problem(503, "overloaded"));
    const before = gateway.requests.length;
    await assert.rejects(client.submit([HASH], 0), isRefusal(503, "overloaded"));
    assert.equal(gateway.requests.length - before, 5);
    // Other refusals are not retried.
    gateway.lies.set("/v1/attestations", () => problem(400, "malformed_hash"));
    await assert.rejects(client.submit([HASH], 0), isRefusal(400, "malformed_hash"));
    assert.equal(gateway.requests.length - before, 6);
  }, { clock: pausing(pauses) });
});

/** A client whose requests `answer` answers. */
function clientOf(answer: (url: URL, init: RequestInit) => Promise<Response>): GatewayClient {
  return new GatewayClient({
    url: new URL("http://gateway.test/below/"),
    fetch: (input, init) => answer(new URL(String(input)), init ?? {}),
  });
}

for (const scheme of SCHEMES) {
  Deno.test(`GatewayClient reads the answers of a real ${scheme} gateway`, () =>
    withRealGateway(async (server) => {
      const client = clientOf(({ pathname, search }, { method, body, headers }) =>
        server.send(method!, pathname.replace("/below", "") + search, {
          ...(body !== undefined && { body }),
          ...(headers !== undefined && { headers }),
        })
      );
      const hash = digestOf("stamped");
      const [job] = await client.submit([hash], 5);
      assert.equal(job!.status, "confirmed");
      assert.equal((await client.network()).value.id, server.network.network.id);
      assert.equal((await client.status()).value.status, "ok");
      assert.equal((await client.bundle(hash)).value.signed_attestation.attestation.hash, hash);
      const stamped = await client.stamp(digestOf("in one call"), { state: "batched" });
      assert.equal(stamped.value.batch_inclusion === null, false);
      await assert.rejects(client.job(digestOf("another"), 0), isRefusal(404, "hash_unknown"));
    }, { scheme }));
}

Deno.test("GatewayClient sends no credentials, follows no redirects, and asks for JSON", async () => {
  const sent: [string, RequestInit][] = [];
  const client = clientOf((url, init) => {
    sent.push([url.pathname + url.search, init]);
    return Promise.resolve(Response.json([]));
  });
  await client.batches({ before: 12, limit: 5 });
  await client.batches();
  await assert.rejects(client.submit([HASH], 3));
  assert.deepEqual(sent.map(([path]) => path), [
    "/below/v1/batches?before=12&limit=5",
    "/below/v1/batches",
    "/below/v1/attestations",
  ]);
  const { headers, body, redirect, credentials } = sent[2]![1];
  assert.deepEqual(headers, {
    "Accept": "application/json",
    "Content-Type": "application/json",
    "Prefer": "wait=3",
  });
  assert.deepEqual([body, redirect, credentials], [`{"hash":"${HASH}"}`, "manual", "omit"]);
});

const UNKNOWN = "0".repeat(64);

/** No answer while the client waits. */
function silent(request: Request): Promise<Response> {
  return new Promise((resolve) => {
    request.signal.addEventListener("abort", () => resolve(new Response()));
  });
}

Deno.test("stamp() returns the bundle of a hash once it is attested", async () => {
  await withGateway(async (client, gateway) => {
    const { text, value } = await client.stamp(HASH);
    assert.deepEqual(value, gateway.bundle(3));
    assert.deepEqual(JSON.parse(text), value);
    assert.deepEqual(gateway.requests, ["POST /v1/attestations", `GET /v1/bundle/${HASH}`]);
    // The batch of another hash closes while the call waits.
    const late = log.attestations[12]!.attestation.hash;
    gateway.lies.set("/v1/attestations", () => {
      const job = gateway.job(late);
      gateway.sizes.push(13);
      return Response.json(job);
    });
    const batched = await client.stamp(late, { state: "batched" });
    assert.notEqual(batched.value.batch_inclusion, null);
  });
});

Deno.test("stamp() ends at its time limit with an error that says what is missing", async () => {
  await withGateway(async (client, gateway) => {
    const limit = { timeoutSeconds: 1 };
    const is = (code: ErrorCode) => (error: unknown) => hasCode(error, code);
    await assert.rejects(client.stamp(UNKNOWN, limit), is("not_confirmed"));
    const late = log.attestations[12]!.attestation.hash;
    await assert.rejects(client.stamp(late, { ...limit, state: "batched" }), is("not_batched"));
    gateway.lies.set("/v1/attestations", silent);
    await assert.rejects(client.stamp(HASH, limit), is("gateway_unreachable"));
    gateway.lies.set("/v1/attestations", () =>
      Response.json({
        ...gateway.job(UNKNOWN),
        status: "failed",
        last_error: { code: "threshold_not_met", message: "Too few witnesses signed" },
      }));
    await assert.rejects(client.stamp(UNKNOWN, limit), /gateway_refused|Too few witnesses signed/);
    gateway.lies.set("/v1/attestations", () => problem(401, "api_key_required"));
    await assert.rejects(client.stamp(HASH, limit), (error) => {
      assert.match(String(error), /Cannot submit a hash: http:/);
      return isRefusal(401, "api_key_required")(error);
    });
    // The time is over while the client waits for its next attempt.
    gateway.lies.set(
      "/v1/attestations",
      () => problem(503, "storage_failed", { "Retry-After": "5" }),
    );
    await assert.rejects(client.stamp(HASH, limit), isRefusal(503, "storage_failed"));
    await assert.rejects(client.stamp("AB", limit), is("malformed_hash"));
  });
});

Deno.test("stamp() ends with the reason of its signal, in each of its phases", async () => {
  const reason = new Error("The user left");
  for (const path of ["/v1/attestations", `/v1/bundle/${HASH}`, undefined]) {
    await withGateway(async (client, gateway) => {
      if (path !== undefined) gateway.lies.set(path, silent);
      const stop = new AbortController();
      const stamping = client.stamp(path === undefined ? UNKNOWN : HASH, { signal: stop.signal });
      setTimeout(() => stop.abort(reason), 100);
      await assert.rejects(stamping, (error) => error === reason);
    });
  }
});

/** Listeners for `abort` that were added to a signal and not removed. */
function countListeners(signal: AbortSignal): () => number {
  const kept = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: AddEventListenerOptions,
  ) => {
    kept.add(listener);
    options?.signal?.addEventListener("abort", () => kept.delete(listener));
    addEventListener.call(signal, type, listener, options);
  };
  signal.removeEventListener = (type: string, listener: EventListenerOrEventListenerObject) => {
    kept.delete(listener);
    removeEventListener.call(signal, type, listener);
  };
  return () => kept.size;
}

Deno.test("a signal for any number of requests keeps no listener", async () => {
  const all = new AbortController();
  await withGateway(async (client) => {
    const each = new AbortController();
    const kept = [all, each].map(({ signal }) => countListeners(signal));
    for (let i = 0; i < 12; i++) {
      await client.bundle(HASH, each.signal);
      await client.stamp(HASH, { signal: each.signal });
    }
    assert.deepEqual(kept.map((count) => count()), [0, 0]);
  }, { signal: all.signal });
});
