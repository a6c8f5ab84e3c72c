/** API keys of a private gateway: who is answered, on which budget, and what others cost. */

import assert from "node:assert/strict";
import type { ApiKeyEntry } from "../../src/config/api_keys.ts";
import { DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import { randomToken } from "../../src/proof/crypto/secrets.ts";
import { unixSeconds } from "../../src/base/clock.ts";
import { ApiKeys } from "../../src/http/api_keys.ts";
import { PUBLIC_PATHS } from "../../src/http/endpoint.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { RateLimits } from "../../src/http/rate_limits.ts";
import {
  KEY_CHECK_MS,
  RequestContext,
  type RequestHandler,
} from "../../src/http/request_context.ts";
import { AccessLog } from "../../src/http/access_log.ts";
import { RequestMetrics } from "../../src/http/request_metrics.ts";
import { MetricsPage } from "../../src/http/metrics/metrics_page.ts";
import { apiKeyDigest } from "../../src/gateway/tokens/api_keys.ts";
import { FakeClock } from "../fake_clock.ts";
import { memoryStore, TestNetwork } from "../gateway/fixture.ts";
import { tablesOf, testOverFronts } from "./limits/fronts.ts";
import { ApiDocument } from "./api_document.ts";
import { exchangeOf } from "./exchange_check.ts";
import { assertProblem, randomHashes, verifier } from "./gateway_server.ts";
import { sentAnswer } from "./sent_answer.ts";

const OFFICE = "192.0.2.1";
const SECRET = randomToken();

function entry(name: string, secret: string, more: Partial<ApiKeyEntry> = {}): ApiKeyEntry {
  return { name, sha256: apiKeyDigest(secret), rates: {}, ...more };
}

/** A private gateway, whose fronts are asked in turn. */
class PrivateServer {
  readonly clock = new FakeClock();
  readonly metrics = new RequestMetrics();
  readonly logged: string[] = [];
  readonly keys: readonly ApiKeys[];
  readonly #handlers: readonly RequestHandler[];
  #requests = 0;
  #document: ApiDocument | undefined;

  constructor(
    fronts: number,
    service: Parameters<typeof gatewayApp>[0]["service"],
    routes: "submissions" | "all",
    entries: readonly ApiKeyEntry[],
  ) {
    const { clock, metrics } = this;
    const log = new AccessLog((message, details) =>
      void this.logged.push(message + JSON.stringify(details))
    );
    const parts = tablesOf(fronts).map((tables) => {
      const rates = {
        ...DEFAULT_CLIENT_LIMITS,
        reads: { perSecond: 1, burst: 5 },
        newAttestations: { perSecond: 1, burst: 2 },
      };
      const limits = new RateLimits(rates, clock, assert.fail, tables);
      const isPublic = (path: string) => path === "/";
      const apiKeys = new ApiKeys({ routes, realm: "log.test", isPublic, clock }, entries);
      const handler = gatewayApp({
        service,
        verifier,
        limits,
        apiKeys,
        report: (fault: unknown) => assert.fail(String(fault)),
        admission: { mode: "open", budget: limits.newAttestations },
        observer: {
          answered(context: RequestContext, status: number, ms: number) {
            metrics.answered(context, status, ms);
            log.answered(context, status, ms);
          },
        },
      });
      return { apiKeys, handler };
    });
    this.keys = parts.map(({ apiKeys }) => apiKeys);
    this.#handlers = parts.map(({ handler }) => handler);
  }

  async send(
    path: string,
    { key, body, method = body === undefined ? "GET" : "POST", from = OFFICE }: {
      readonly key?: string | undefined;
      readonly body?: unknown;
      readonly method?: string;
      readonly from?: string;
    } = {},
  ): Promise<Response> {
    const init = {
      headers: {
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const answer = await this.#ask(
      new Request(`http://gateway.test${path}`, { method, ...init }),
      from,
    );
    const response = await sentAnswer(method, answer);
    this.#document ??= new ApiDocument(
      await (await this.#ask(new Request("http://gateway.test/openapi.json"), "198.51.100.1"))
        .text(),
    );
    this.#document.check(await exchangeOf(method, path, init, response.clone()));
    return response;
  }

  async status(path: string, asked: Parameters<PrivateServer["send"]>[1] = {}): Promise<number> {
    const response = await this.send(path, asked);
    await response.body?.cancel();
    return response.status;
  }

  async #ask(request: Request, hostname: string): Promise<Response> {
    const remoteAddr = { transport: "tcp", hostname, port: 40_000 } as const;
    const handler = this.#handlers[this.#requests++ % this.#handlers.length]!;
    return await handler(request, { remoteAddr, completed: Promise.resolve() });
  }
}

async function withKeys(
  fronts: number,
  routes: "submissions" | "all",
  entries: readonly ApiKeyEntry[],
  test: (server: PrivateServer) => Promise<void>,
): Promise<void> {
  const { gateway } = await new TestNetwork().start(await memoryStore());
  try {
    await test(new PrivateServer(fronts, gateway, routes, entries));
  } finally {
    await gateway.stop();
  }
}

const one = () => ({ hash: randomHashes(1)[0] });

testOverFronts(
  "submissions need a key, and reads do not",
  (fronts) =>
    withKeys(fronts, "submissions", [entry("alice", SECRET)], async (server) => {
      const missing = await server.send("/v1/attestations", { body: one() });
      assert.equal(missing.status, 401);
      assert.equal(missing.headers.get("WWW-Authenticate"), 'Bearer realm="log.test"');
      await assertProblem(missing, "api_key_required");
      const wrong = await server.send("/v1/attestations/batch", {
        key: randomToken(),
        body: { hashes: randomHashes(2) },
      });
      assert.equal(wrong.status, 401);
      assert.equal(
        wrong.headers.get("WWW-Authenticate"),
        'Bearer realm="log.test", error="invalid_token"',
      );
      await assertProblem(wrong, "api_key_refused");
      assert.equal(await server.status("/v1/config"), 200);
      // A refused key does not close a route that needs none.
      assert.equal(await server.status("/v1/config", { key: "x" }), 200);
      assert.equal(await server.status("/v1/attestations", { key: SECRET, body: one() }), 202);
    }),
);

testOverFronts(
  "all routes need a key but health, preflights, the page and documents",
  (fronts) =>
    withKeys(fronts, "all", [entry("alice", SECRET)], async (server) => {
      const paths = ["/v1/config", "/v1/log/sth", "/checkpoint", "/tile/0/000", "/v1/status"];
      for (const [i, path] of paths.entries()) {
        assert.equal(await server.status(path, { from: `192.0.2.${i + 10}` }), 401, path);
      }
      for (const path of paths) {
        assert.notEqual(await server.status(path, { key: SECRET }), 401, path);
      }
      for (const [i, path] of [...PUBLIC_PATHS, "/"].entries()) {
        assert.notEqual(await server.status(path, { from: `198.51.100.${i + 10}` }), 401, path);
      }
      assert.equal(await server.status("/v1/config", { method: "OPTIONS" }), 204);
    }),
);

testOverFronts(
  "requests without a key spend neither the budgets nor the CPU of a key",
  (fronts) =>
    withKeys(fronts, "all", [entry("alice", SECRET)], async (server) => {
      // Guesses from the holder's own address use that address up.
      const statuses: number[] = [];
      for (let i = 0; i < 12; i++) {
        statuses.push(await server.status("/v1/config", { key: randomToken() }));
      }
      assert.equal(statuses.filter((status) => status === 401).length, 5);
      assert.equal(statuses.filter((status) => status === 429).length, 7);
      // The key has all of its budgets, from whatever address.
      for (let i = 0; i < 5; i++) {
        assert.equal(await server.status("/v1/config", { key: SECRET, from: `192.0.2.${i}` }), 200);
      }
      assert.equal(await server.status("/v1/config", { key: SECRET, from: "203.0.113.1" }), 429);
    }),
);

testOverFronts("a key may have budgets of its own", (fronts) =>
  withKeys(fronts, "submissions", [
    entry("small", SECRET, { rates: { new_attestations: { perSecond: 3, burst: 7 } } }),
  ], async (server) => {
    const submit = () => server.status("/v1/attestations", { key: SECRET, body: one() });
    const statuses: number[] = [];
    for (let i = 0; i < 9; i++) statuses.push(await submit());
    assert.deepEqual(statuses, [...Array(7).fill(202), 429, 429]);
    await server.clock.advance(1_000);
    const refilled = [await submit(), await submit(), await submit(), await submit()];
    assert.deepEqual(refilled, [202, 202, 202, 429]);
    const refused = await server.send("/v1/attestations", { key: SECRET, body: one() });
    assert.equal(refused.headers.get("RateLimit-Policy"), '"new_attestations";q=7;w=3');
    await refused.body?.cancel();
  }));

testOverFronts(
  "expired, revoked and new keys count at once",
  (fronts) =>
    withKeys(fronts, "all", [], async (server) => {
      const notAfter = unixSeconds(server.clock) + 60;
      const use = (entries: readonly ApiKeyEntry[]) =>
        server.keys.forEach((keys) => keys.use(entries));
      const ask = (key: string, from: string) => server.status("/v1/config", { key, from });
      assert.equal(await ask(SECRET, "192.0.2.1"), 401);
      use([entry("alice", SECRET, { notAfter })]);
      assert.equal(await ask(SECRET, "192.0.2.2"), 200);
      await server.clock.advance(60_000);
      assert.equal(await ask(SECRET, "192.0.2.3"), 401);
      use([entry("alice", SECRET)]);
      assert.equal(await ask(SECRET, "192.0.2.4"), 200);
      use([]);
      assert.equal(await ask(SECRET, "192.0.2.5"), 401);
    }),
);

testOverFronts(
  "log and metrics name keys, and hold no secret",
  (fronts) =>
    withKeys(fronts, "all", [entry("alice", SECRET)], async (server) => {
      const guess = randomToken();
      await server.status("/v1/config", { key: SECRET });
      await server.status("/v1/config", { key: SECRET });
      await server.status("/v1/config", { key: guess });
      const page = new MetricsPage();
      server.metrics.addTo(page, new Map());
      const text = await page.text([]);
      assert.match(text, /countersign_api_key_requests_total\{key="alice"\} 2/);
      assert.match(text, /countersign_refusals_total\{code="api_key_refused"\} 1/);
      assert.equal(server.logged.filter((line) => line.includes('"api_key":"alice"')).length, 2);
      const all = text + server.logged.join("\n");
      for (const secret of [SECRET, guess, apiKeyDigest(SECRET)]) assert.ok(!all.includes(secret));
    }),
);

testOverFronts(
  "no shared cache may keep an answer that needs a key",
  async (fronts) => {
    const caching = async (routes: "submissions" | "all", path: string) => {
      let value: string | null = null;
      await withKeys(fronts, routes, [entry("alice", SECRET)], async (server) => {
        const response = await server.send(path, { key: SECRET });
        await response.body?.cancel();
        value = response.headers.get("Cache-Control");
      });
      return value;
    };
    assert.equal(await caching("all", "/v1/config"), "private, no-cache");
    assert.equal(await caching("submissions", "/v1/config"), "public, no-cache");
    assert.equal(await caching("all", "/openapi.json"), "public, no-cache");
  },
);

for (const [name, end] of [["revoked", 0], ["expired", 30_000]] as const) {
  Deno.test(`the holder of an open stream is called once its key is ${name}`, async () => {
    const clock = new FakeClock();
    const notAfter = unixSeconds(clock) + 30;
    const bob = entry("bob", randomToken());
    const keys = new ApiKeys({ routes: "all", realm: "log.test", clock }, [
      entry("alice", SECRET, { notAfter }),
      bob,
    ]);
    const context = new RequestContext(
      new Request("http://gateway.test/v1/events", {
        headers: { Authorization: `Bearer ${SECRET}` },
      }),
      undefined,
    );
    keys.identify(context);
    let calls = 0;
    const stop = context.apiKey!.whenRefused(() => calls++);
    // The same key with another budget is still accepted.
    keys.use([entry("alice", SECRET, { notAfter, rates: {} }), bob]);
    await clock.advance(5_000);
    assert.equal(calls, 0);
    if (end === 0) keys.use([bob]);
    else await clock.advance(end - 5_000);
    await clock.advance(KEY_CHECK_MS);
    assert.ok(calls > 0);
    stop();
    assert.equal(clock.sleeping, 0);
  });
}
