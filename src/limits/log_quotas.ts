/**
 * How much a witness cosigns for each log in a day (UTC). It is counted in memory: a restart begins the
 * day's count again.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../clock.ts";
import { RateLimited } from "./rate_budget.ts";

const DAY_SECONDS = 86_400;

/** Absent members do not limit. */
export interface LogQuota {
  readonly queriesPerDay?: number | undefined;
  readonly bytesPerDay?: number | undefined;
}

export class LogQuotas {
  readonly #clock: Clock;
  #day = 0;
  #used = new Map<string, { queries: number; bytes: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one request of the log, of so many bytes, or refuses it with `rate_limited`. */
  charge(origin: string, bytes: number, { queriesPerDay, bytesPerDay }: LogQuota): void {
    const now = unixSeconds(this.#clock);
    const day = Math.floor(now / DAY_SECONDS);
    if (day !== this.#day) this.#used = new Map();
    this.#day = day;
    const used = this.#used.getOrInsertComputed(origin, () => ({ queries: 0, bytes: 0 }));
    const left = (day + 1) * DAY_SECONDS - now;
    requireLeft("log_queries_per_day", "requests", {
      used: used.queries,
      cost: 1,
      quota: queriesPerDay,
      left,
    });
    requireLeft("log_bytes_per_day", "bytes", {
      used: used.bytes,
      cost: bytes,
      quota: bytesPerDay,
      left,
    });
    used.queries++;
    used.bytes += bytes;
  }
}

function requireLeft(
  budget: string,
  unit: string,
  { used, cost, quota = Infinity, left }: {
    readonly used: number;
    readonly cost: number;
    readonly quota: number | undefined;
    readonly left: number;
  },
): void {
  if (used + cost <= quota) return;
  throw new RateLimited(
    `Cannot cosign checkpoint: the log has had ${used} of its ${quota} ${unit} of this day (UTC)`,
    {
      ...{ budget, quota, windowSeconds: DAY_SECONDS, remaining: Math.max(0, quota - used) },
      ...{ nextSeconds: left, retryAfterSeconds: left },
    },
  );
}
