import assert from "node:assert/strict";
import { DEFAULT_CLIENT_LIMITS } from "../../../src/config/gateway_limits.ts";
import {
  createSharedLimits,
  FrontTables,
  releaseFront,
  type SharedLimits,
} from "../../../src/http/limit_tables.ts";
import { SharedHoldings, sharedHoldingsMemory } from "../../../src/http/limits/shared_holdings.ts";
import {
  CLIENTS,
  DEBTS,
  type FrontOrder,
  MANY,
  RATE,
  READINGS,
  START,
  tickingClock,
  TICKS,
  type Work,
} from "./front_work.ts";

const FRONTS = 3;

/** Fronts in threads over the same limits. */
class Fronts implements Disposable {
  readonly shared: SharedLimits = createSharedLimits(DEFAULT_CLIENT_LIMITS, FRONTS + 1);
  readonly words = new Int32Array(new SharedArrayBuffer(64));
  /** Of this thread. */
  readonly tables = new FrontTables(this.shared, FRONTS);
  readonly #workers: Worker[] = [];

  /** The messages of a new front, whose first is "ready". */
  start(front: number, work: Work): { next(): Promise<unknown>; end(): void } {
    const worker = new Worker(new URL("./front_worker.ts", import.meta.url), { type: "module" });
    this.#workers.push(worker);
    const messages: unknown[] = [];
    let arrived = Promise.withResolvers<void>();
    worker.onmessage = ({ data }) => {
      messages.push(data);
      arrived.resolve();
    };
    const { shared, words } = this;
    worker.postMessage({ shared, front, work, words } satisfies FrontOrder);
    return {
      async next() {
        while (messages.length === 0) await arrived.promise;
        arrived = Promise.withResolvers();
        return messages.shift();
      },
      end: () => worker.terminate(),
    };
  }

  go(): void {
    Atomics.store(this.words, START, 1);
    Atomics.notify(this.words, START);
  }

  /** All fronts do `work` at once; what each returns. */
  async race(work: Work): Promise<readonly (readonly number[])[]> {
    const fronts = Array.from({ length: FRONTS }, (_, front) => this.start(front, work));
    for (const front of fronts) assert.equal(await front.next(), "ready");
    this.go();
    return await Promise.all(fronts.map((front) => front.next() as Promise<readonly number[]>));
  }

  [Symbol.dispose](): void {
    for (const worker of this.#workers) worker.terminate();
  }
}

/** Element by element. */
function sums(counts: readonly (readonly number[])[]): readonly number[] {
  return counts[0]!.map((_, i) => counts.reduce((sum, one) => sum + one[i]!, 0));
}

Deno.test("fronts that race for a budget take exactly what it has", async () => {
  using fronts = new Fronts();
  assert.deepEqual(sums(await fronts.race("take")), CLIENTS.map(() => RATE.burst));
});

Deno.test("fronts that race lose no debt", async () => {
  using fronts = new Fronts();
  await fronts.race("owe");
  const buckets = fronts.tables.buckets("reads", RATE);
  assert.equal(buckets.tokens(CLIENTS[0]!, 0), RATE.burst - FRONTS * DEBTS);
});

Deno.test("fronts that race count the same time once", async () => {
  using fronts = new Fronts();
  const time = fronts.tables.time(tickingClock(fronts.words));
  // The second reading of a call counts.
  assert.equal(time.nowMs(), 0);
  await fronts.race("read time");
  const elapsedMs = time.nowMs();
  const readings = Atomics.load(fronts.words, TICKS);
  assert.equal(elapsedMs, readings - 1 - 1);
  assert.ok(readings > FRONTS * READINGS);
});

Deno.test("fronts that race hold exactly what clients may, and all together", async () => {
  using fronts = new Fronts();
  const rest = MANY.total - MANY.perClient;
  assert.deepEqual(sums(await fronts.race("hold")), [MANY.perClient, rest, 0]);
  const holdings = fronts.tables.holdings("body_bytes");
  assert.equal(holdings.total, MANY.total);
});

Deno.test("fronts that take turns hold no more than allowed, and nothing in the end", async () => {
  using fronts = new Fronts();
  assert.deepEqual(sums(await fronts.race("take turns")), [0]);
  const holdings = fronts.tables.holdings("body_bytes");
  assert.deepEqual([holdings.total, holdings.clients], [0, 0]);
});

for (const part of ["holdings", "buckets", "time"] as const) {
  Deno.test(`the lock and the holdings of a front that ended are released: ${part}`, async () => {
    using fronts = new Fronts();
    const stopped = fronts.start(0, `stop in ${part}`);
    fronts.go();
    assert.equal(await stopped.next(), "ready");
    assert.equal(await stopped.next(), "stuck");
    const waiting = [fronts.start(1, "use all once"), fronts.start(2, "use all once")];
    for (const front of waiting) assert.equal(await front.next(), "ready");
    const results = Promise.all(waiting.map((front) => front.next()));
    const early = await Promise.race([
      results,
      new Promise((resolve) => setTimeout(() => resolve("waiting"), 50)),
    ]);
    assert.equal(early, "waiting");
    stopped.end();
    releaseFront(fronts.shared, 0);
    assert.deepEqual((await results as number[][]).map(([held, taken]) => [held, taken]), [
      [1, 1],
      [1, 1],
    ]);
    const holdings = fronts.tables.holdings("body_bytes");
    assert.deepEqual([holdings.total, holdings.clients], [2, 1]);
  });
}

Deno.test("releaseFront() takes away what one front holds, and nothing else", () => {
  const shared = createSharedLimits(DEFAULT_CLIENT_LIMITS, 2);
  const [one, other] = CLIENTS;
  const [first, second] = [0, 1].map((front) =>
    new FrontTables(shared, front).holdings("open_event_streams")
  );
  first!.hold(one, 3, 10, 10);
  first!.hold(undefined, 2, 10, 10);
  const release = second!.hold(one, 4, 10, 10);
  assert.equal(first!.hold(other, 2, 10, 10), "total");
  releaseFront(shared, 0);
  assert.deepEqual([first!.of(one!), first!.total, first!.clients], [4, 4, 1]);
  assert.equal(first!.hold(one, 7, 10, 20), "client");
  assert.ok(typeof release === "function");
  release();
  assert.deepEqual([first!.total, first!.clients], [0, 0]);
});

Deno.test("a full table refuses newcomers, until one of its clients holds nothing", () => {
  const memory = sharedHoldingsMemory(2, 32);
  const fronts = [new SharedHoldings(memory, 0), new SharedHoldings(memory, 1)];
  const client = (i: number) => ({ high: 1, low: i });
  const releases = Array.from(
    { length: 32 },
    (_, i) => fronts[i % 2]!.hold(client(i), 1, 2, 1_000),
  );
  assert.ok(releases.every((release) => typeof release === "function"));
  for (const front of fronts) {
    assert.equal(front.hold(client(32), 1, 2, 1_000), "clients");
    assert.equal(front.clients, 32);
  }
  // Clients in the table, and holdings without a client, need no new entry.
  assert.equal(typeof fronts[1]!.hold(client(0), 1, 2, 1_000), "function");
  assert.equal(typeof fronts[1]!.hold(undefined, 1, 2, 1_000), "function");
  (releases[5] as () => void)();
  assert.equal(typeof fronts[0]!.hold(client(32), 1, 2, 1_000), "function");
  assert.deepEqual([fronts[1]!.of(client(32)), fronts[1]!.of(client(5))], [1, 0]);
  assert.equal(fronts[0]!.hold(client(5), 1, 2, 1_000), "clients");
});
