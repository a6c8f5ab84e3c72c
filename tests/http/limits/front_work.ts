/**
 * What fronts in threads do with limits at the same time (`front_worker.ts`).
 *
 * @module
 */

import type { Clock } from "../../../src/base/clock.ts";
import { FrontTables, type SharedLimits } from "../../../src/http/limit_tables.ts";
import type { ClientKey } from "../../../src/http/limits/client_key.ts";

export const RATE = { perSecond: 1, burst: 100_000 } as const;
export const DEBTS = 300_000;
export const READINGS = 50_000;
export const TURNS = 50_000;
export const PER_CLIENT = 3;
export const TOTAL = 5;
export const MANY = { perClient: 60_000, total: 100_000 } as const;

export const CLIENTS: readonly ClientKey[] = [
  { high: 0xffff_ffff, low: 0xc000_0201 },
  { high: 0x2001_0db8, low: 1 },
  { high: 0x2001_0db8, low: 2 },
];

const STUCK: ClientKey = { high: 7, low: 7 };

export type Work =
  | "take"
  | "owe"
  | "read time"
  | "hold"
  | "take turns"
  | "stop in holdings"
  | "stop in buckets"
  | "stop in time"
  | "use all once";

export interface FrontOrder {
  readonly shared: SharedLimits;
  readonly front: number;
  readonly work: Work;
  /** Words: 1 once all may begin, the ticks of a clock, the holdings of all, those of each client. */
  readonly words: Int32Array<SharedArrayBuffer>;
}

export const START = 0;
export const TICKS = 1;
export const HELD = 2;

/** A clock that no two fronts read alike. */
export function tickingClock(words: Int32Array<SharedArrayBuffer>): Clock {
  return {
    nowMs: () => Atomics.add(words, TICKS, 1),
    elapsedMs: () => Atomics.load(words, TICKS),
    sleep: () => Promise.reject(new Error("unused")),
  };
}

/** Blocks at the `count`th reading, for ever. */
class Obstacle {
  readonly #count: number;
  readonly #blocked: () => void;
  #readings = 0;

  constructor(count: number, blocked: () => void) {
    this.#count = count;
    this.#blocked = blocked;
  }

  read<T>(value: T): T {
    if (++this.#readings === this.#count) {
      this.#blocked();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    return value;
  }
}

/** Does the work of `order` and returns its counts. Calls `stuck` where it stops. */
export function run(
  { shared, front, work, words }: FrontOrder,
  stuck: () => void,
): readonly number[] {
  const tables = new FrontTables(shared, front);
  const buckets = tables.buckets("reads", RATE);
  const holdings = tables.holdings("body_bytes");
  switch (work) {
    case "take":
      return CLIENTS.map((client) => {
        let taken = 0;
        while (buckets.take(client, 1, 0)) taken++;
        return taken;
      });
    case "owe":
      for (let i = 0; i < DEBTS; i++) buckets.owe(CLIENTS[0]!, 1, 0);
      return [];
    case "read time": {
      const time = tables.time(tickingClock(words));
      for (let i = 0; i < READINGS; i++) time.nowMs();
      return [];
    }
    case "hold":
      return CLIENTS.map((client) => {
        let held = 0;
        const { perClient, total } = MANY;
        while (typeof holdings.hold(client, 1, perClient, total) === "function") held++;
        return held;
      });
    case "take turns": {
      let faults = 0;
      for (let i = 0; i < TURNS; i++) {
        const which = i % CLIENTS.length;
        const release = holdings.hold(CLIENTS[which], 1, PER_CLIENT, TOTAL);
        if (typeof release !== "function") continue;
        if (Atomics.add(words, HELD, 1) >= TOTAL) faults++;
        if (Atomics.add(words, HELD + 1 + which, 1) >= PER_CLIENT) faults++;
        Atomics.sub(words, HELD + 1 + which, 1);
        Atomics.sub(words, HELD, 1);
        release();
      }
      return [faults];
    }
    case "use all once": {
      const isHeld = typeof holdings.hold(STUCK, 1, MANY.perClient, MANY.total) === "function";
      const isTaken = buckets.take(STUCK, 1, 0);
      return [Number(isHeld), Number(isTaken), tables.time(tickingClock(words)).nowMs()];
    }
    case "stop in holdings":
      for (const client of CLIENTS) holdings.hold(client, 10, MANY.perClient, MANY.total);
      holdings.hold(stuckClient(stuck), 1, MANY.perClient, MANY.total);
      return [];
    case "stop in buckets":
      buckets.take(stuckClient(stuck), 1, 0);
      return [];
    case "stop in time": {
      const clock = tickingClock(words);
      // The second reading is the one with the lock.
      const obstacle = new Obstacle(2, stuck);
      tables.time({ ...clock, nowMs: () => obstacle.read(clock.nowMs()) }).nowMs();
      return [];
    }
  }
}

/** A client whose third reading is the one that writes it to a table, with the lock. */
function stuckClient(stuck: () => void): ClientKey {
  const obstacle = new Obstacle(3, stuck);
  return {
    high: STUCK.high,
    get low() {
      return obstacle.read(STUCK.low);
    },
  };
}
