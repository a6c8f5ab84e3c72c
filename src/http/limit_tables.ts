/**
 * The tables of the limits of a process: in the memory of its only thread, or in memory that its fronts
 * share, so that limits hold over all fronts together as over one thread.
 *
 * @module
 */

import type { Clock } from "../base/clock.ts";
import type { ClientLimits } from "../config/gateway_limits.ts";
import { NO_LIMITS } from "../config/client_budgets.ts";
import { ElapsedTime, releaseTimeOf, sharedTimeMemory } from "./limits/elapsed_time.ts";
import { HeldQuota } from "./limits/held_quota.ts";
import { type ClientHoldings, LocalHoldings, type Release } from "./limits/holdings.ts";
import {
  HOLDING_CLIENTS,
  releaseHoldingsOf,
  SharedHoldings,
  sharedHoldingsMemory,
} from "./limits/shared_holdings.ts";
import {
  type Rate,
  releaseBucketsOf,
  sharedBucketMemory,
  TokenBuckets,
} from "./limits/token_buckets.ts";
import { EVENT_CONNECTIONS } from "./events/event_bounds.ts";

const BUDGETS = ["new_attestations", "reads", "event_streams", "operator", "uncharged"] as const;

/** Counted for each client and in total. */
const CLIENT_QUOTAS = [
  "requests_in_flight",
  "open_event_streams",
  "body_bytes",
  "bulk_answer_bytes",
  "waiting_refusals",
] as const;

/** Counted in total only: requests at the clients' listeners, and event streams. */
const TOTALS = ["requests", "event_connections"] as const;

export type BudgetName = typeof BUDGETS[number];
export type QuotaName = typeof CLIENT_QUOTAS[number] | typeof TOTALS[number];

type Warn = (message: string) => void;

/** Makes the tables of limits, each once. */
export interface LimitTables {
  time(clock: Clock): ElapsedTime;
  buckets(name: BudgetName, rate: Rate): TokenBuckets;
  holdings(name: QuotaName): ClientHoldings;
  /** `warn`, which each thread calls once at most, for the first thread alone. */
  warnOnce(warn: Warn): Warn;
}

/** Tables of a process with one thread. */
export const LOCAL_TABLES: LimitTables = {
  time: (clock) => new ElapsedTime(clock),
  buckets: (_, rate) => new TokenBuckets(rate),
  holdings: () => new LocalHoldings(),
  warnOnce: (warn) => warn,
};

/** The memory of the limits of all fronts. It can be posted to workers. */
export interface SharedLimits {
  readonly time: SharedArrayBuffer;
  /** One word, 1 after the first warning. */
  readonly warned: SharedArrayBuffer;
  /** Empty where clients are not limited. */
  readonly budgets: Readonly<Partial<Record<BudgetName, SharedArrayBuffer>>>;
  readonly quotas: Readonly<Record<QuotaName, SharedArrayBuffer>>;
}

/** Call once for a process, whose threads with listeners have the numbers 0 to `fronts` - 1. */
export function createSharedLimits(
  limits: ClientLimits | typeof NO_LIMITS,
  fronts: number,
): SharedLimits {
  const isLimited = limits !== NO_LIMITS;
  const quota = (clients: number) => (name: QuotaName) =>
    [name, sharedHoldingsMemory(fronts, clients)] as const;
  return {
    time: sharedTimeMemory(),
    warned: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    budgets: isLimited
      ? Object.fromEntries(BUDGETS.map((name) => [name, sharedBucketMemory()]))
      : {},
    quotas: Object.fromEntries([
      ...CLIENT_QUOTAS.map(quota(isLimited ? HOLDING_CLIENTS : 0)),
      ...TOTALS.map(quota(0)),
    ]) as Record<QuotaName, SharedArrayBuffer>,
  };
}

/**
 * Takes away what the requests, streams and bodies of `front` hold, and releases its locks, for which
 * other fronts may be waiting. Call when its thread has ended, before another one has its number. What
 * it took from rate budgets stays taken.
 */
export function releaseFront({ time, budgets, quotas }: SharedLimits, front: number): void {
  releaseTimeOf(time, front);
  for (const memory of Object.values(budgets)) releaseBucketsOf(memory, front);
  for (const memory of Object.values(quotas)) releaseHoldingsOf(memory, front);
}

/** Tables of one front. */
export class FrontTables implements LimitTables {
  readonly #shared: SharedLimits;
  readonly #front: number;

  constructor(shared: SharedLimits, front: number) {
    this.#shared = shared;
    this.#front = front;
  }

  time(clock: Clock): ElapsedTime {
    return new ElapsedTime(clock, this.#shared.time, this.#front);
  }

  buckets(name: BudgetName, rate: Rate): TokenBuckets {
    return new TokenBuckets(rate, this.#shared.budgets[name], this.#front);
  }

  holdings(name: QuotaName): ClientHoldings {
    return new SharedHoldings(this.#shared.quotas[name], this.#front);
  }

  warnOnce(warn: Warn): Warn {
    const warned = new Int32Array(this.#shared.warned);
    return (message) => {
      if (Atomics.exchange(warned, 0, 1) === 0) warn(message);
    };
  }
}

/** Counts an event stream in `tables` until the returned function is called; `overloaded`. */
export function connectionCounter(tables: LimitTables): () => Release {
  const quota = new HeldQuota({
    budget: "event_connections",
    perClient: Infinity,
    total: EVENT_CONNECTIONS,
    failure: "Cannot open event stream",
    unit: "event streams",
    retryAfterSeconds: 30,
  }, tables.holdings("event_connections"));
  return () => quota.hold(undefined);
}
