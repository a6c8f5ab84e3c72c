import assert from "node:assert/strict";
import type { ClientKey } from "../../../src/http/limits/client_key.ts";
import {
  bucketMemory,
  type Rate,
  REMEMBERED_CLIENTS,
  sharedBucketMemory,
  TokenBuckets,
} from "../../../src/http/limits/token_buckets.ts";
import { spread, testOverFronts } from "./fronts.ts";

/** Deterministic numbers in [0, 1): mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const client = (i: number): ClientKey => ({ high: Math.imul(i, 0x9e3779b1) >>> 0, low: i });

/** Buckets of `fronts` fronts over one table; each call is the next one's. */
function bucketsOf(fronts: number, rate: Rate, clients = REMEMBERED_CLIENTS): TokenBuckets {
  if (fronts === 0) return new TokenBuckets(rate, bucketMemory(clients));
  const memory = sharedBucketMemory(clients);
  return spread(Array.from({ length: fronts }, (_, i) => new TokenBuckets(rate, memory, i)));
}

/** A plain bucket: exact, in thousandths of a token, and never evicted. */
class PlainBucket {
  readonly #rate: Rate;
  #thousandths: number;
  #ms = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
    this.#thousandths = 1000 * rate.burst;
  }

  take(cost: number, ms: number): boolean {
    const full = 1000 * this.#rate.burst;
    this.#thousandths = Math.min(
      full,
      this.#thousandths + (ms - this.#ms) * this.#rate.perSecond,
    );
    this.#ms = ms;
    if (this.#thousandths < Math.min(1000 * cost, full)) return false;
    this.#thousandths -= 1000 * cost;
    return true;
  }

  get tokens(): number {
    return this.#thousandths / 1000;
  }
}

const RATES: readonly Rate[] = [
  { perSecond: 100, burst: 2_000 },
  { perSecond: 1, burst: 1 },
  { perSecond: 3, burst: 7 },
  { perSecond: 999_983, burst: 1 },
  { perSecond: 1_000_000, burst: 1_000_000 },
];

testOverFronts("TokenBuckets agrees with a plain token bucket", (fronts) => {
  for (const [seed, rate] of RATES.entries()) {
    const random = randomNumbers(seed);
    const buckets = bucketsOf(fronts, rate);
    const plain = Array.from({ length: 100 }, () => new PlainBucket(rate));
    let taken = 0;
    for (let step = 0, ms = 0; step < 20_000; step++) {
      if (random() < 0.3) ms += Math.floor(random() * 2_000 / Math.min(rate.perSecond, 100));
      const i = Math.floor(random() * plain.length);
      const cost = random() < 0.1
        ? Math.ceil(random() * 2 * rate.burst)
        : Math.ceil(random() * Math.max(rate.burst / 50, 1));
      const isTaken = buckets.take(client(i), cost, ms);
      assert.equal(isTaken, plain[i]!.take(cost, ms), `step ${step} of ${JSON.stringify(rate)}`);
      assert.equal(buckets.tokens(client(i), ms), plain[i]!.tokens);
      taken += isTaken ? 1 : 0;
    }
    assert.ok(taken > 1_000 && taken < 20_000, `${taken} of ${JSON.stringify(rate)}`);
  }
});

testOverFronts("a refusal takes no tokens, and a token returns exactly on time", (fronts) => {
  const buckets = bucketsOf(fronts, { perSecond: 8, burst: 4 });
  for (let i = 0; i < 4; i++) assert.ok(buckets.take(client(1), 1, 0));
  for (let ms = 0; ms < 125; ms++) assert.ok(!buckets.take(client(1), 1, ms));
  assert.ok(buckets.take(client(1), 1, 125));
  assert.ok(!buckets.take(client(1), 1, 125));
});

testOverFronts("a cost above the burst needs a full bucket and leaves a debt", (fronts) => {
  const buckets = bucketsOf(fronts, { perSecond: 100, burst: 50 });
  assert.ok(buckets.take(client(1), 1, 0));
  assert.ok(!buckets.take(client(1), 1_000, 0));
  assert.ok(buckets.take(client(1), 1_000, 10));
  assert.equal(buckets.tokens(client(1), 10), -950);
  // 951 tokens come back in 9.51 s.
  assert.ok(!buckets.take(client(1), 1, 9_519));
  assert.ok(buckets.take(client(1), 1, 9_520));
});

testOverFronts("owe() takes tokens without a check", (fronts) => {
  const buckets = bucketsOf(fronts, { perSecond: 10, burst: 2 });
  for (let i = 0; i < 5; i++) buckets.owe(client(1), 1, 0);
  assert.equal(buckets.tokens(client(1), 0), -3);
  assert.ok(!buckets.take(client(1), 1, 399));
  assert.ok(buckets.take(client(1), 1, 400));
});

Deno.test("memory does not grow with the number of clients", () => {
  const memory = bucketMemory(REMEMBERED_CLIENTS);
  const buckets = new TokenBuckets({ perSecond: 100, burst: 2_000 }, memory);
  for (let i = 0; i < 1_000_000; i++) buckets.take(client(i), 1, i >> 5);
  assert.ok(memory.byteLength <= 1024 * 1024 + 8192, `${memory.byteLength} bytes`);
});

testOverFronts("clients within their rate are never refused", (fronts) => {
  // All fit the table; nine of 2,000 are in one set once in 10^7 runs.
  const buckets = bucketsOf(fronts, { perSecond: 1, burst: 2 });
  for (let ms = 0; ms < 5_000; ms += 1_000) {
    for (let i = 0; i < 2_000; i++) assert.ok(buckets.take(client(i), 1, ms), `client ${i}`);
  }
});

testOverFronts("a client gains nothing from the eviction of its bucket", (fronts) => {
  // 64 slots and thousands of clients: every bucket is evicted repeatedly.
  const rate = { perSecond: 10, burst: 20 };
  for (let seed = 0; seed < 5; seed++) {
    const random = randomNumbers(seed);
    const buckets = bucketsOf(fronts, rate, 64);
    const plain = Array.from({ length: 2_000 }, () => new PlainBucket(rate));
    let taken = 0;
    let refused = 0;
    let ms = 0;
    for (let step = 0; step < 50_000; step++) {
      if (random() < 0.5) ms += 1;
      // A few send often and would gain from eviction; the others send once.
      const i = Math.floor((random() < 0.3 ? 5 : plain.length) * random());
      const cost = Math.ceil(random() * 5);
      if (!buckets.take(client(i), cost, ms)) refused++;
      else {
        taken += cost;
        assert.ok(plain[i]!.take(cost, ms), `client ${i} was given more than it may have`);
      }
    }
    assert.ok(refused > 1_000, `${refused} refused`);
    // All 64 slots together grant the budget of 64 clients.
    assert.ok(taken <= 64 * (rate.burst + rate.perSecond * ms / 1000), `${taken} taken`);
  }
});

testOverFronts("a flood of clients does not evict indebted buckets", (fronts) => {
  const rate = { perSecond: 100, burst: 100 };
  const buckets = bucketsOf(fronts, rate, 8);
  // Seven clients with large debts and one with half a budget: a flood takes over only the fullest
  // slot.
  for (let i = 0; i < 7; i++) buckets.owe(client(i), 1_000, 0);
  for (let i = 100; i < 1_000; i++) buckets.take(client(i), 1, 0);
  for (let i = 0; i < 7; i++) assert.equal(buckets.tokens(client(i), 0), -900);
});

testOverFronts(
  "what was taken in vain is given back, but never more than a full bucket",
  (fronts) => {
    const buckets = bucketsOf(fronts, { perSecond: 1, burst: 5 });
    for (let i = 0; i < 5; i++) assert.ok(buckets.take(client(1), 1, 0));
    assert.ok(!buckets.take(client(1), 1, 0));
    for (let i = 0; i < fronts + 1; i++) buckets.giveBack(client(1), 1);
    assert.equal(buckets.tokens(client(1), 0), fronts + 1);
    buckets.giveBack(client(1), 100);
    assert.equal(buckets.tokens(client(1), 0), 5);
    assert.equal(buckets.tokens(client(1), 1_000), 5);
  },
);

testOverFronts("a client whose slot was taken over gets nothing back", (fronts) => {
  const buckets = bucketsOf(fronts, { perSecond: 1, burst: 5 }, 8);
  for (let i = 1; i <= 8; i++) assert.ok(buckets.take(client(i), 5, 0));
  for (let i = 0; i < 8; i++) buckets.giveBack(client(9), 5);
  for (let i = 1; i <= 8; i++) assert.equal(buckets.tokens(client(i), 0), 0);
});
