import assert from "node:assert/strict";
import { HeldQuota, type QuotaRules } from "../../../src/http/limits/held_quota.ts";
import { ClientAddresses } from "../../../src/http/client_address.ts";
import type { ClientKey } from "../../../src/http/limits/client_key.ts";
import { RateLimited } from "../../../src/http/limits/rate_limited.ts";
import type { Rate } from "../../../src/http/limits/token_buckets.ts";
import { RequestBudget } from "../../../src/http/request_budget.ts";
import { RequestContext } from "../../../src/http/request_context.ts";
import { FakeClock } from "../../fake_clock.ts";
import { Random } from "../../random.ts";
import { SEED } from "../../seed.ts";
import { spread, tablesOf, testOverFronts } from "./fronts.ts";

const ONE = { high: 0, low: 1 };
const OTHER = { high: 0, low: 2 };

function budgetOf(
  fronts: number,
  name: "reads" | "new_attestations",
  rate: Rate,
  clock: FakeClock,
): RequestBudget {
  return spread(
    tablesOf(fronts).map((tables) =>
      new RequestBudget(name, rate, {
        addresses: new ClientAddresses([], () => {}),
        time: tables.time(clock),
        buckets: tables.buckets(name, rate),
      })
    ),
  );
}

function by(client: ClientKey): RequestContext {
  const context = new RequestContext(new Request("http://gateway.example"));
  context.client = client;
  return context;
}

function quotaOf(fronts: number, rules: QuotaRules): HeldQuota {
  return spread(
    tablesOf(fronts).map((tables) => new HeldQuota(rules, tables.holdings("body_bytes"))),
  );
}

/** The refusal that a client gets. */
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

testOverFronts(
  "a refusal states the remainder and the seconds until a retry can succeed",
  async (fronts) => {
    const clock = new FakeClock();
    const budget = budgetOf(fronts, "new_attestations", { perSecond: 100, burst: 1_500 }, clock);
    budget.charge(by(ONE), 1_000);
    const state = { budget: "new_attestations", quota: 1_500, windowSeconds: 15 };
    assert.deepEqual(refusalOf(() => budget.charge(by(ONE), 1_000)), {
      ...state,
      remaining: 500,
      nextSeconds: 1,
      retryAfterSeconds: 5,
    });
    budget.charge(by(OTHER), 1_500);
    await clock.advance(4_999);
    assert.deepEqual(refusalOf(() => budget.charge(by(ONE), 1_000)), {
      ...state,
      remaining: 999,
      nextSeconds: 1,
      retryAfterSeconds: 1,
    });
    await clock.advance(1);
    budget.charge(by(ONE), 1_000);
  },
);

testOverFronts(
  "a retry succeeds after retryAfterSeconds and not a second earlier",
  async (fronts) => {
    const random = new Random(SEED);
    for (const [perSecond, burst, cost] of [[1, 30, 1], [7, 10, 25], [3, 1, 1], [250, 2, 1_000]]) {
      const clock = new FakeClock();
      const budget = budgetOf(fronts, "reads", { perSecond: perSecond!, burst: burst! }, clock);
      budget.charge(by(ONE), cost!);
      while (random.chance(0.5)) budget.owe(by(ONE), 1);
      const { retryAfterSeconds } = refusalOf(() => {
        for (;;) budget.charge(by(ONE), cost!);
      });
      await clock.advance(1_000 * retryAfterSeconds - 1_000);
      if (retryAfterSeconds > 1) refusalOf(() => budget.charge(by(ONE), cost!));
      await clock.advance(1_000);
      budget.charge(by(ONE), cost!);
    }
  },
);

testOverFronts(
  "a refusal of an indebted client states when its budget is positive again",
  (fronts) => {
    const budget = budgetOf(fronts, "reads", { perSecond: 2, burst: 1 }, new FakeClock());
    budget.requireSome(by(ONE));
    for (let i = 0; i < 5; i++) budget.owe(by(ONE), 2);
    const { remaining, nextSeconds, retryAfterSeconds } = refusalOf(() =>
      budget.requireSome(by(ONE))
    );
    assert.deepEqual([remaining, nextSeconds, retryAfterSeconds], [0, 5, 5]);
    budget.requireSome(by(OTHER));
  },
);

testOverFronts("a clock jump changes no budget", async (fronts) => {
  const clock = new FakeClock();
  const budget = budgetOf(fronts, "reads", { perSecond: 10, burst: 1 }, clock);
  budget.charge(by(ONE), 1);
  clock.jump(-3_600_000);
  refusalOf(() => budget.charge(by(ONE), 1));
  await clock.advance(99);
  refusalOf(() => budget.charge(by(ONE), 1));
  await clock.advance(1);
  budget.charge(by(ONE), 1);
  clock.jump(3_600_000);
  budget.charge(by(ONE), 1);
  refusalOf(() => budget.charge(by(ONE), 1));
});

const QUOTA = {
  budget: "streams",
  failure: "Cannot open",
  unit: "streams",
  retryAfterSeconds: 1,
};

testOverFronts(
  "HeldQuota counts per client until release, and a second release does nothing",
  (fronts) => {
    const quota = quotaOf(fronts, { ...QUOTA, perClient: 2 });
    const release = [quota.hold(ONE), quota.hold(ONE)];
    const { quota: most, remaining, windowSeconds } = refusalOf(() => quota.hold(ONE));
    assert.deepEqual([most, remaining, windowSeconds], [2, 0, undefined]);
    const releaseOther = quota.hold(OTHER);
    assert.equal(quota.clients, 2);
    release[0]!();
    release[0]!();
    release.push(quota.hold(ONE));
    refusalOf(() => quota.hold(ONE));
    for (const one of [...release, releaseOther]) one();
    assert.deepEqual([quota.clients, quota.total], [0, 0]);
  },
);

testOverFronts("HeldQuota limits the amount of one client and of all clients", (fronts) => {
  const quota = quotaOf(fronts, { ...QUOTA, perClient: 60, total: 100 });
  const release = quota.hold(ONE, 60);
  assert.equal(refusalOf(() => quota.hold(ONE, 1)).remaining, 0);
  quota.hold(OTHER, 30);
  quota.hold(undefined, 10);
  assert.throws(() => quota.hold(undefined, 1), { code: "overloaded" });
  assert.throws(() => quota.hold(ONE, 1), { code: "overloaded" });
  release();
  assert.equal(quota.total, 40);
  quota.hold({ high: 0, low: 3 }, 60);
});
