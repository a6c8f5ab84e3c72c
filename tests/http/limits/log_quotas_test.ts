import assert from "node:assert/strict";
import { RateLimited } from "../../../src/http/limits/rate_limited.ts";
import { LogQuotas } from "../../../src/http/limits/log_quotas.ts";
import { FakeClock } from "../../fake_clock.ts";

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

Deno.test("quotas continue from what was stored on the same day, and show what was used", async () => {
  const clock = new FakeClock();
  const before = new LogQuotas(clock);
  const quota = { queriesPerDay: 2 };
  before.charge("a", 400, quota);
  before.charge("a", 300, quota);
  const after = new LogQuotas(clock);
  after.restore(before.stored);
  assert.equal(refusal(() => after.charge("a", 1, quota))?.budget, "log_queries_per_day");
  const { logs, refused } = after.facts;
  assert.deepEqual(logs, [{ origin: "a", queries: 2, bytes: 700 }]);
  assert.deepEqual([...refused], [["log_queries_per_day", 1], ["log_bytes_per_day", 0]]);
  await clock.advance(86_400_000);
  assert.deepEqual(after.facts.logs, []);
  const later = new LogQuotas(clock);
  later.restore(before.stored);
  assert.equal(refusal(() => later.charge("a", 1, quota)), undefined, "of another day");
  for (const text of ["", "{}", before.stored.replace('"version":1', '"version":2')]) {
    assert.throws(() => later.restore(text), { code: "malformed_text" });
  }
});
