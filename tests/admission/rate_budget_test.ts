import assert from "node:assert/strict";
import { OpenStreams } from "../../src/admission/open_streams.ts";
import { RateBudget } from "../../src/admission/rate_budget.ts";
import { RateLimited } from "../../src/admission/rate_limited.ts";
import { FakeClock } from "../fake_clock.ts";

const ONE = { high: 0, low: 1 };
const OTHER = { high: 0, low: 2 };

/** What a client is told that is refused. */
function refusalOf(act: () => void) {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof RateLimited);
    assert.equal(error.code, "rate_limited");
    return error.state;
  }
  throw new assert.AssertionError({ message: "it was not refused" });
}

Deno.test("a refusal tells what is left, and when what was asked for can succeed", async () => {
  const clock = new FakeClock();
  const budget = new RateBudget("new_attestations", { perSecond: 100, burst: 1_500 }, clock);
  budget.charge(ONE, 1_000);
  const state = { budget: "new_attestations", quota: 1_500, windowSeconds: 15 };
  assert.deepEqual(refusalOf(() => budget.charge(ONE, 1_000)), {
    ...{ ...state, remaining: 500, nextSeconds: 1, retryAfterSeconds: 5 },
  });
  budget.charge(OTHER, 1_500);
  await clock.advance(4_999);
  assert.deepEqual(refusalOf(() => budget.charge(ONE, 1_000)), {
    ...{ ...state, remaining: 999, nextSeconds: 1, retryAfterSeconds: 1 },
  });
  await clock.advance(1);
  budget.charge(ONE, 1_000);
});

Deno.test("who waits as long as was said is let in, and a second earlier not", async () => {
  for (const [perSecond, burst, cost] of [[1, 30, 1], [7, 10, 25], [3, 1, 1], [250, 2, 1_000]]) {
    const clock = new FakeClock();
    const budget = new RateBudget("reads", { perSecond: perSecond!, burst: burst! }, clock);
    budget.charge(ONE, cost!);
    while (Math.random() < 0.5) budget.owe(ONE, 1);
    const { retryAfterSeconds } = refusalOf(() => {
      for (;;) budget.charge(ONE, cost!);
    });
    await clock.advance(1_000 * retryAfterSeconds - 1_000);
    if (retryAfterSeconds > 1) refusalOf(() => budget.charge(ONE, cost!));
    await clock.advance(1_000);
    budget.charge(ONE, cost!);
  }
});

Deno.test("what is owed says when there is something again", () => {
  const budget = new RateBudget("reads", { perSecond: 2, burst: 1 }, new FakeClock());
  budget.requireSome(ONE);
  for (let i = 0; i < 5; i++) budget.owe(ONE, 2);
  const { remaining, nextSeconds, retryAfterSeconds } = refusalOf(() => budget.requireSome(ONE));
  assert.deepEqual([remaining, nextSeconds, retryAfterSeconds], [0, 5, 5]);
  budget.requireSome(OTHER);
});

Deno.test("a clock that is set gives nobody less, and set back nobody more", async () => {
  const clock = new FakeClock();
  const budget = new RateBudget("reads", { perSecond: 10, burst: 1 }, clock);
  budget.charge(ONE, 1);
  clock.jump(-3_600_000);
  refusalOf(() => budget.charge(ONE, 1));
  await clock.advance(99);
  refusalOf(() => budget.charge(ONE, 1));
  await clock.advance(1);
  budget.charge(ONE, 1);
  clock.jump(3_600_000);
  budget.charge(ONE, 1);
  refusalOf(() => budget.charge(ONE, 1));
});

Deno.test("streams are counted while they are open, by client, and each is closed once", () => {
  const streams = new OpenStreams(2);
  const close = [streams.open(ONE), streams.open(ONE)];
  const { quota, remaining, windowSeconds } = refusalOf(() => streams.open(ONE));
  assert.deepEqual([quota, remaining, windowSeconds], [2, 0, undefined]);
  const closeOther = streams.open(OTHER);
  assert.equal(streams.clients, 2);
  close[0]!();
  close[0]!();
  close.push(streams.open(ONE));
  refusalOf(() => streams.open(ONE));
  for (const one of [...close, closeOther]) one();
  assert.equal(streams.clients, 0);
});
