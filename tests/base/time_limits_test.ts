import assert from "node:assert/strict";
import { TimeLimits } from "../../src/base/time_limits.ts";
import { FakeClock } from "../fake_clock.ts";

function makeLimits(ms = 1_000) {
  const clock = new FakeClock();
  const limits = new TimeLimits(clock, ms);
  const expired: [name: string, atMs: number][] = [];
  const start = (name: string) => limits.start(() => expired.push([name, clock.elapsedMs()]));
  return { clock, limits, expired, start };
}

Deno.test("TimeLimits calls back for each limit at its end, in order", async () => {
  const { clock, expired, start } = makeLimits();
  start("a");
  await clock.advance(300);
  start("b");
  start("c");
  await clock.advance(699);
  assert.deepEqual(expired, []);
  await clock.advance(1);
  assert.deepEqual(expired, [["a", 1_000]]);
  await clock.advance(300);
  assert.deepEqual(expired, [["a", 1_000], ["b", 1_300], ["c", 1_300]]);
  assert.equal(clock.sleeping, 0);
});

Deno.test("TimeLimits forgets a limit that is ended, also while its timer sleeps for it", async () => {
  const { clock, limits, expired, start } = makeLimits();
  const first = start("first");
  await clock.advance(400);
  const second = start("second");
  limits.end(first);
  await clock.advance(999);
  assert.deepEqual(expired, []);
  start("third");
  limits.end(second);
  await clock.advance(1_000);
  assert.deepEqual(expired, [["third", 2_399]]);
});

Deno.test("TimeLimits has one timer for all limits, and none when it rests", async () => {
  const { clock, limits, expired, start } = makeLimits();
  const all = Array.from({ length: 100 }, (_, i) => start(`${i}`));
  assert.equal(clock.sleeping, 1);
  limits.rest();
  assert.equal(clock.sleeping, 1, "a limit is open");
  for (const limit of all) limits.end(limit);
  limits.rest();
  assert.equal(clock.sleeping, 0);
  // In the same turn in which the timer has ended.
  start("later");
  await clock.advance(1_000);
  assert.deepEqual(expired, [["later", 1_000]]);
});
