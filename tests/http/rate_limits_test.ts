import assert from "node:assert/strict";
import { type ClientLimits, DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import { parseIpRange } from "../../src/proof/format/ip_address.ts";
import type { GatewayService } from "../../src/gateway/gateway_service.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { CLIENT_IN_FLIGHT } from "../../src/http/limits.ts";
import { RequestContext, type RequestHandler } from "../../src/http/request_context.ts";
import { operatorApp } from "../../src/http/operator/operator_app.ts";
import { RateLimits } from "../../src/http/rate_limits.ts";
import { FakeClock } from "../fake_clock.ts";
import { memoryStore, TestNetwork, until } from "../gateway/fixture.ts";
import { ApiDocument } from "./api_document.ts";
import { spread, tablesOf, testOverFronts } from "./limits/fronts.ts";
import { withEvents } from "./event_clients.ts";
import { exchangeOf } from "./exchange_check.ts";
import { assertProblem, randomHashes, RefusingService, verifier } from "./gateway_server.ts";
import { sentAnswer } from "./sent_answer.ts";

const LAPTOP = "192.0.2.1";
const ABUSER = "203.0.113.9";
const PROXY = "10.0.0.1";

/** A gateway with limits, whose time a test moves. Its fronts are asked in turn. */
class LimitedServer {
  readonly clock = new FakeClock();
  readonly warnings: string[] = [];
  readonly #handlers: readonly RequestHandler[];
  #requests = 0;
  #document: Promise<ApiDocument> | undefined;

  constructor(fronts: number, service: GatewayService, changed: Partial<ClientLimits>) {
    const warn = (message: string) => this.warnings.push(message);
    this.#handlers = tablesOf(fronts).map((tables) => {
      const all = { ...DEFAULT_CLIENT_LIMITS, ...changed };
      const limits = new RateLimits(all, this.clock, warn, tables);
      return gatewayApp({
        service,
        verifier,
        limits,
        report: () => {},
        admission: { mode: "open", budget: limits.newAttestations },
      });
    });
  }

  /** What `client` is answered, which has to be documented. */
  async ask(client: string, method: string, path: string, init: RequestInit = {}) {
    const request = new Request(`http://gateway.test${path}`, { method, ...init });
    const response = await sentAnswer(method, await this.#from(client, request));
    this.#document ??= this.#from("198.51.100.250", new Request("http://gateway.test/openapi.json"))
      .then(async (response) => new ApiDocument(await response.text()));
    (await this.#document).check(await exchangeOf(method, path, init, response.clone()));
    return response;
  }

  async get(client: string, path: string, headers: Record<string, string> = {}): Promise<number> {
    const response = await this.ask(client, "GET", path, { headers });
    await response.body?.cancel();
    return response.status;
  }

  /** The status of a submission: of a hash, of many, or of a body as it is. */
  async submit(client: string, what: string | readonly string[]): Promise<number> {
    const isHash = typeof what === "string" && /^[0-9a-f]{64}$/.test(what);
    const body = typeof what === "string"
      ? isHash ? JSON.stringify({ hash: what }) : what
      : JSON.stringify({ hashes: what });
    const path = typeof what === "string" ? "/v1/attestations" : "/v1/attestations/batch";
    const headers = { "Content-Type": "application/json" };
    const response = await this.ask(client, "POST", path, { body, headers });
    await response.body?.cancel();
    return response.status;
  }

  async #from(hostname: string, request: Request): Promise<Response> {
    const remoteAddr = { transport: "tcp", hostname, port: 40_000 } as const;
    const handler = this.#handlers[this.#requests++ % this.#handlers.length]!;
    return await handler(request, { remoteAddr, completed: Promise.resolve() });
  }
}

/** Runs `test` on a new gateway with `limits`. */
async function withLimits(
  fronts: number,
  limits: Partial<ClientLimits>,
  test: (server: LimitedServer) => Promise<void>,
): Promise<void> {
  const { gateway } = await new TestNetwork().start(await memoryStore());
  try {
    await test(new LimitedServer(fronts, gateway, limits));
  } finally {
    await gateway.stop();
  }
}

const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length;

/** Of submissions that were taken, whether they wait or not. */
const takenOf = (statuses: readonly number[]) => statuses.length - countOf(statuses, 429);

testOverFronts("each read is charged before it is served", async (fronts) => {
  await withLimits(fronts, { reads: { perSecond: 2, burst: 5 } }, async (server) => {
    // Whatever the route, the method and the outcome.
    assert.equal(await server.get(LAPTOP, "/v1/config"), 200);
    assert.equal(await server.get(LAPTOP, `/v1/bundle/${"00".repeat(32)}`), 404);
    assert.equal(await server.get(LAPTOP, "/no/such/route"), 404);
    assert.equal((await server.ask(LAPTOP, "HEAD", "/v1/config")).status, 200);
    assert.equal(await server.get(LAPTOP, "/v1/batches/7"), 404);
    const refused = await server.ask(LAPTOP, "GET", "/v1/config");
    assert.equal(refused.headers.get("Retry-After"), "1");
    assert.equal(refused.headers.get("RateLimit-Policy"), '"reads";q=5;w=3');
    assert.equal(refused.headers.get("RateLimit"), '"reads";r=0;t=1');
    const exposed = refused.headers.get("Access-Control-Expose-Headers")!.split(", ");
    for (const name of ["Retry-After", "RateLimit", "RateLimit-Policy"]) {
      assert.ok(exposed.includes(name), name);
    }
    await assertProblem(refused, "rate_limited");
    assert.equal(await server.get(ABUSER, "/v1/config"), 200);
    await server.clock.advance(1_000);
    const paths = ["/v1/config", "/v1/log/sth", "/openapi.json", "/checkpoint"];
    const statuses = await Promise.all(paths.map((path) => server.get(LAPTOP, path)));
    assert.deepEqual(statuses, [200, 404, 429, 429]);
  });
});

testOverFronts("new hashes are charged, and repeats are free", async (fronts) => {
  const newAttestations = { perSecond: 10, burst: 10 };
  await withLimits(fronts, { newAttestations }, async (server) => {
    const [first, second, third, ...others] = randomHashes(15);
    assert.notEqual(await server.submit(LAPTOP, first!), 429);
    // Ten concurrent submissions of one hash are nine repeats.
    const many = await Promise.all(
      Array.from({ length: 10 }, () => server.submit(LAPTOP, second!)),
    );
    assert.equal(takenOf(many), 10);
    // Seven new hashes and repeats, with one listed twice.
    const bulk = [first!, ...others.slice(0, 7), second!, others[0]!];
    assert.notEqual(await server.submit(LAPTOP, bulk), 429);
    // One is left: two are refused whole, and take nothing.
    assert.equal(await server.submit(LAPTOP, [...bulk, ...others.slice(7, 9)]), 429);
    assert.notEqual(await server.submit(LAPTOP, third!), 429);
    assert.equal(await server.submit(LAPTOP, others[7]!), 429);
    assert.equal(await server.get(LAPTOP, `/v1/attestations/${others[7]}`), 404);
    for (let i = 0; i < 30; i++) assert.notEqual(await server.submit(LAPTOP, bulk), 429);
    assert.notEqual(await server.submit(LAPTOP, first!), 429);
    // Others are not in its way, and what it could not have, it can have later.
    assert.notEqual(await server.submit(ABUSER, others.slice(8)), 429);
    await server.clock.advance(100);
    assert.notEqual(await server.submit(LAPTOP, others[7]!), 429);
  });
});

testOverFronts(
  "a bulk request above the burst needs a full budget and leaves a debt",
  async (fronts) => {
    const newAttestations = { perSecond: 10, burst: 5 };
    await withLimits(fronts, { newAttestations }, async (server) => {
      const hashes = randomHashes(51);
      assert.notEqual(await server.submit(LAPTOP, hashes.slice(0, 50)), 429);
      const body = JSON.stringify({ hash: hashes[50] });
      const headers = { "Content-Type": "application/json" };
      const refused = await server.ask(LAPTOP, "POST", "/v1/attestations", { body, headers });
      await assertProblem(refused, "rate_limited");
      assert.equal(refused.headers.get("Retry-After"), "5");
      assert.equal(refused.headers.get("RateLimit"), '"new_attestations";r=0;t=5');
      await server.clock.advance(4_599);
      assert.equal(await server.submit(LAPTOP, hashes[50]!), 429);
      await server.clock.advance(1);
      assert.notEqual(await server.submit(LAPTOP, hashes[50]!), 429);
    });
  },
);

testOverFronts(
  "a malformed submission costs a read, and an empty budget refuses all submissions",
  async (fronts) => {
    await withLimits(fronts, { reads: { perSecond: 1, burst: 4 } }, async (server) => {
      const [hash] = randomHashes(1);
      for (let i = 0; i < 10; i++) assert.notEqual(await server.submit(LAPTOP, hash!), 429);
      assert.equal(await server.submit(LAPTOP, "{"), 400);
      assert.equal(await server.submit(LAPTOP, '{"hash":"00"}'), 400);
      assert.equal(await server.submit(LAPTOP, `{"hash":"${"0".repeat(4_000)}"}  `), 400);
      assert.equal(await server.submit(LAPTOP, "[".repeat(70_000)), 413);
      assert.equal(await server.submit(LAPTOP, "{"), 429);
      // What would be free is not let in either, until a read has come back.
      assert.equal(await server.submit(LAPTOP, hash!), 429);
      assert.equal(await server.get(LAPTOP, "/v1/config"), 429);
      assert.notEqual(await server.submit(ABUSER, hash!), 429);
      await server.clock.advance(1_000);
      assert.notEqual(await server.submit(LAPTOP, hash!), 429);
      // Many at once are let in together, and what they cost is owed.
      const statuses = await Promise.all(
        Array.from({ length: 6 }, () => server.submit(LAPTOP, "{")),
      );
      assert.equal(countOf(statuses, 400), 6);
      await server.clock.advance(5_999);
      assert.equal(await server.submit(LAPTOP, hash!), 429);
      await server.clock.advance(1);
      assert.notEqual(await server.submit(LAPTOP, hash!), 429);
    });
  },
);

testOverFronts("failures of the service cost clients nothing", async (fronts) => {
  for (const code of ["overloaded", "storage_failed", "internal"] as const) {
    const server = new LimitedServer(fronts, new RefusingService(code), {
      reads: { perSecond: 1, burst: 1 },
    });
    const [hash] = randomHashes(1);
    const statuses = await Promise.all(
      Array.from({ length: 5 }, () => server.submit(LAPTOP, hash!)),
    );
    assert.ok(statuses.every((status) => status >= 500), code);
    assert.equal(await server.get(LAPTOP, "/v1/config"), 200, code);
    assert.equal(await server.get(LAPTOP, "/v1/config"), 429, code);
  }
});

testOverFronts(
  "clients behind a trusted proxy are separate, and forged headers change nothing",
  async (fronts) => {
    const reads = { perSecond: 1, burst: 2 };
    const trustedProxies = [parseIpRange("10.0.0.0/8")!];
    await withLimits(fronts, { reads, trustedProxies }, async (server) => {
      const through = (forwarded: string) =>
        server.get(PROXY, "/v1/config", { "X-Forwarded-For": forwarded });
      assert.equal(await through(LAPTOP), 200);
      assert.equal(await through(`198.51.100.7, ${LAPTOP}`), 200);
      assert.equal(await through(`198.51.100.8, ${LAPTOP}`), 429);
      assert.equal(await server.get(LAPTOP, "/v1/config"), 429);
      assert.equal(await through(`${LAPTOP}, 198.51.100.7`), 200);
      assert.equal(await through("2001:db8:1:2::1"), 200);
      assert.equal(await through("2001:db8:1:2:ffff::"), 200);
      assert.equal(await through("2001:db8:1:2::2"), 429);
      assert.equal(await through("2001:db8:1:3::1"), 200);
      assert.deepEqual(server.warnings, []);
      const forge = (i: number) =>
        server.get(ABUSER, "/v1/config", { "X-Forwarded-For": `198.51.100.${i}` });
      assert.deepEqual([await forge(1), await forge(2)], [200, 200]);
      assert.deepEqual(await Promise.all([3, 4, 5].map(forge)), [429, 429, 429]);
      assert.equal(server.warnings.length, 1);
    });
  },
);

testOverFronts("an abuser is limited to its budget and does not affect others", async (fronts) => {
  const newAttestations = { perSecond: 10, burst: 30 };
  const reads = { perSecond: 5, burst: 10 };
  await withLimits(fronts, { newAttestations, reads }, async (server) => {
    const SECONDS = 8;
    let accepted = 0;
    let read = 0;
    for (let second = 0; second < SECONDS; second++) {
      if (second > 0) await server.clock.advance(1_000);
      const floods = randomHashes(60).map((hash) => server.submit(ABUSER, hash));
      const looks = Array.from({ length: 20 }, () => server.get(ABUSER, "/v1/config"));
      const stamped = await server.submit(LAPTOP, randomHashes(3));
      assert.notEqual(stamped, 429);
      assert.equal(await server.get(LAPTOP, "/v1/status"), 200);
      accepted += takenOf(await Promise.all(floods));
      read += takenOf(await Promise.all(looks));
    }
    assert.equal(read, reads.burst + reads.perSecond * (SECONDS - 1));
    assert.equal(accepted, newAttestations.burst + newAttestations.perSecond * (SECONDS - 1));
  });
});

testOverFronts(
  "event streams are charged at opening, and open ones are limited",
  async (fronts) => {
    const clock = new FakeClock();
    const eventStreams = { perSecond: 1, burst: 4, open: 2 };
    const rates = spread(
      tablesOf(fronts).map((tables) =>
        new RateLimits({ ...DEFAULT_CLIENT_LIMITS, eventStreams }, clock, assert.fail, tables)
      ),
    );
    await withEvents(
      async (server) => {
        const socket = await server.socket();
        const stream = await server.stream();
        await assert.rejects(server.socket());
        const refused = await fetch(`${server.listener.url}/v1/events`);
        assert.equal(refused.headers.get("RateLimit-Policy"), '"open_event_streams";q=2');
        assert.equal(refused.headers.get("RateLimit"), '"open_event_streams";r=0');
        assert.equal(refused.headers.get("Retry-After"), "30");
        await assertProblem(refused, "rate_limited");
        // A look at the headers is a read, and opens nothing.
        assert.equal(
          (await fetch(`${server.listener.url}/v1/events`, { method: "HEAD" })).status,
          200,
        );

        socket.socket.close();
        await until(() => server.feed.connections === 1);
        const third = await server.socket();
        third.socket.close();
        await until(() => server.feed.connections === 1);
        const fourth = await server.socket();
        fourth.socket.close();
        await until(() => server.feed.connections === 1);
        // The budget of four is used up, although one more may be open.
        const late = await fetch(`${server.listener.url}/v1/events`);
        assert.equal(late.headers.get("RateLimit"), '"event_streams";r=0;t=1');
        await assertProblem(late, "rate_limited");
        await assert.rejects(server.socket());
        await clock.advance(1_000);
        const fifth = await server.socket();
        fifth.socket.close();
        await stream.close();
        await until(() => server.feed.connections === 0);
      },
      {},
      rates,
    );
  },
);

testOverFronts("requests in flight of one client are limited", async (fronts) => {
  const clock = new FakeClock();
  const limits = spread(
    tablesOf(fronts).map((tables) =>
      new RateLimits(DEFAULT_CLIENT_LIMITS, clock, assert.fail, tables)
    ),
  );
  const sent = Promise.withResolvers<void>();
  const enter = (client: string) =>
    limits.enter(
      new RequestContext(new Request("http://gateway.test/v1/config"), {
        remote: () => client,
        completed: () => sent.promise,
      }),
    );
  for (let i = 0; i < CLIENT_IN_FLIGHT; i++) enter(LAPTOP);
  for (let i = 0; i < 3; i++) assert.throws(() => enter(LAPTOP), { code: "rate_limited" });
  enter(ABUSER);
  sent.resolve();
  await sent.promise;
  enter(LAPTOP);
});

Deno.test("operator requests are limited before their token is checked", async () => {
  const clock = new FakeClock();
  const operator = { perSecond: 1, burst: 3 };
  const limits = new RateLimits({ ...DEFAULT_CLIENT_LIMITS, operator }, clock, assert.fail);
  const token = "token-of-the-operator-0123456789";
  const answer = operatorApp({
    token,
    budget: limits.operator,
    report: () => assert.fail(),
    readiness: () => Promise.resolve([]),
    metrics: () => Promise.resolve(""),
  });
  const ask = (hostname: string, shown: string) =>
    answer(
      new Request("http://127.0.0.1:8090/ready", { headers: { Authorization: `Bearer ${shown}` } }),
      {
        remoteAddr: { transport: "tcp", hostname, port: 40_000 },
        completed: Promise.resolve(),
      },
    );
  for (let i = 0; i < 3; i++) await assertProblem(await ask(ABUSER, "guess"), "token_refused");
  await assertProblem(await ask(ABUSER, "guess"), "rate_limited");
  const right = await ask(ABUSER, token);
  assert.equal(right.headers.get("RateLimit-Policy"), '"operator";q=3;w=3');
  await assertProblem(right, "rate_limited");
  assert.equal((await ask(LAPTOP, token)).status, 200);
  await clock.advance(1_000);
  assert.equal((await ask(ABUSER, token)).status, 200);
});
