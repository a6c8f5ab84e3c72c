import assert from "node:assert/strict";
import { DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import { NO_LIMITS } from "../../src/config/client_budgets.ts";
import { parseIpAddress } from "../../src/proof/format/ip_address.ts";
import { clientKey } from "../../src/http/client_address.ts";
import { BodyReader } from "../../src/http/body_reader.ts";
import { connectionCounter } from "../../src/http/limit_tables.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import {
  createSharedLimits,
  FrontTables,
  type QuotaName,
  releaseFront,
} from "../../src/http/limit_tables.ts";
import { BODY_BOUNDS, BULK_ANSWERS } from "../../src/http/limits.ts";
import { EVENT_CONNECTIONS } from "../../src/http/events/event_bounds.ts";
import { RateLimits } from "../../src/http/rate_limits.ts";
import { FakeClock } from "../fake_clock.ts";
import { tablesOf, testOverFronts } from "./limits/fronts.ts";
import { assertProblem, randomHashes, RefusingService, verifier } from "./gateway_server.ts";

const LAPTOP = "192.0.2.1";

testOverFronts("event streams are limited in total", (fronts) => {
  const counters = tablesOf(fronts).map(connectionCounter);
  const count = (i: number) => counters[i % counters.length]!();
  const releases = Array.from({ length: EVENT_CONNECTIONS }, (_, i) => count(i));
  for (let i = 0; i < 3; i++) assert.throws(() => count(i), { code: "overloaded" });
  releases[7]!();
  releases[7]!();
  count(1);
  for (let i = 0; i < 3; i++) assert.throws(() => count(i), { code: "overloaded" });
});

Deno.test("a front counts bodies and bulk answers together with other fronts", async () => {
  const shared = createSharedLimits(DEFAULT_CLIENT_LIMITS, 2);
  const [front, other] = [new FrontTables(shared, 0), new FrontTables(shared, 1)];
  const limits = new RateLimits(DEFAULT_CLIENT_LIMITS, new FakeClock(), assert.fail, front);
  const app = gatewayApp({
    service: new RefusingService("storage_failed"),
    verifier,
    limits,
    report: () => {},
    bulkAnswerBytes: front.holdings("bulk_answer_bytes"),
  });
  const bodies = new BodyReader(front.holdings("body_bytes"));
  const submit = (count: number) => {
    const request = new Request("http://gateway.test/v1/attestations/batch", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ hashes: randomHashes(count) }),
    });
    const remoteAddr = { transport: "tcp", hostname: LAPTOP, port: 40_000 } as const;
    return app(request, { remoteAddr, completed: Promise.resolve() }, bodies);
  };
  const client = clientKey(parseIpAddress(LAPTOP)!);
  const holdElsewhere = (name: QuotaName, bytes: number, isClients: boolean) =>
    other.holdings(name).hold(isClients ? client : undefined, bytes, Infinity, Infinity);
  await assertProblem(await submit(1), "storage_failed");
  holdElsewhere("bulk_answer_bytes", BULK_ANSWERS.clientMiB * 2 ** 20, true);
  await assertProblem(await submit(1), "rate_limited");
  holdElsewhere("body_bytes", BODY_BOUNDS.bytesOfAll, false);
  await assertProblem(await submit(1_000), "overloaded");
  releaseFront(shared, 1);
  await assertProblem(await submit(1_000), "storage_failed");
});

Deno.test("where clients are not limited, the totals hold over all fronts", () => {
  const shared = createSharedLimits(NO_LIMITS, 2);
  const [one, other] = [0, 1].map((front) => new FrontTables(shared, front).holdings("body_bytes"));
  assert.equal(typeof one!.hold(undefined, 6, 1, 10), "function");
  assert.equal(other!.hold(undefined, 5, 1, 10), "total");
  assert.equal(typeof other!.hold(undefined, 4, 1, 10), "function");
});
