import assert from "node:assert/strict";
import { RateLimited } from "../../src/limits/rate_budget.ts";
import { LogQuotas } from "../../src/limits/log_quotas.ts";
import { FakeClock } from "../fake_clock.ts";

const refusal = (run: () => void) => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof RateLimited);
    return error.state;
  }
  return undefined;
};

Deno.test("each log has its quota of requests and bytes, until the next day", async () => {
  const clock = new FakeClock();
  const quotas = new LogQuotas(clock);
  const quota = { queriesPerDay: 2, bytesPerDay: 1_000 };
  quotas.charge("a", 400, quota);
  quotas.charge("a", 400, quota);
  assert.equal(refusal(() => quotas.charge("a", 1, quota))?.budget, "log_queries_per_day");
  assert.equal(refusal(() => quotas.charge("b", 400, quota)), undefined, "another log");
  const bytes = refusal(() => quotas.charge("b", 601, quota));
  assert.deepEqual([bytes?.budget, bytes?.remaining], ["log_bytes_per_day", 600]);
  assert.equal(refusal(() => quotas.charge("b", 600, quota)), undefined, "a refusal costs nothing");
  assert.equal(refusal(() => quotas.charge("c", 1e12, {})), undefined, "no quota");
  const state = refusal(() => quotas.charge("a", 1, quota))!;
  assert.ok(state.retryAfterSeconds > 0 && state.retryAfterSeconds <= 86_400);
  await clock.advance(1_000 * (state.retryAfterSeconds - 1));
  assert.notEqual(refusal(() => quotas.charge("a", 1, quota)), undefined);
  await clock.advance(1_000);
  assert.equal(refusal(() => quotas.charge("a", 1, quota)), undefined, "the next day");
});
