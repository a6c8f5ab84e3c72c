/**
 * How much a witness cosigns for each log in a day (UTC).
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { COUNT, list, object, TEXT } from "../../proof/format/schema.ts";
import { RateLimited } from "./rate_limited.ts";

const DAY_SECONDS = 86_400;

/** Absent members do not limit. */
export interface LogQuota {
  readonly queriesPerDay?: number | undefined;
  readonly bytesPerDay?: number | undefined;
}

const VERSION = 1;

const STORED = object({
  version: COUNT,
  /** Days since 1970. */
  day: COUNT,
  logs: list(object({ origin: TEXT, queries: COUNT, bytes: COUNT })),
});

export class LogQuotas {
  readonly #clock: Clock;
  #day = 0;
  #used = new Map<string, { queries: number; bytes: number }>();
  /** By name of the budget. */
  readonly #refused = new Map([["log_queries_per_day", 0], ["log_bytes_per_day", 0]]);

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
    this.#requireLeft("log_queries_per_day", "requests", {
      used: used.queries,
      cost: 1,
      quota: queriesPerDay,
      left,
    });
    this.#requireLeft("log_bytes_per_day", "bytes", {
      used: used.bytes,
      cost: bytes,
      quota: bytesPerDay,
      left,
    });
    used.queries++;
    used.bytes += bytes;
  }

  /** The use of each log today, and the refusals of each budget since the start. */
  get facts() {
    const isToday = Math.floor(unixSeconds(this.#clock) / DAY_SECONDS) === this.#day;
    const used = isToday ? [...this.#used] : [];
    return { logs: used.map(([origin, one]) => ({ origin, ...one })), refused: this.#refused };
  }

  /** The text that {@linkcode restore} reads. */
  get stored(): string {
    const logs = [...this.#used].map(([origin, used]) => ({ origin, ...used }));
    return `${JSON.stringify({ version: VERSION, day: this.#day, logs })}\n`;
  }

  /** Continues with the counts in `text`, if they are of this day. `malformed_text`. */
  restore(text: string): void {
    const code = "malformed_text";
    const { version, day, logs } = STORED.parseText(text, { where: "quotas", code }, Infinity);
    if (version !== VERSION) throw new CountersignError(code, `Version ${version} is unknown`);
    this.#day = day;
    this.#used = new Map(logs.map(({ origin, ...used }) => [origin, used]));
  }

  #requireLeft(
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
    this.#refused.set(budget, this.#refused.get(budget)! + 1);
    throw new RateLimited(
      `Cannot cosign checkpoint: the log has had ${used} of its ${quota} ${unit} of this day (UTC)`,
      {
        budget,
        quota,
        windowSeconds: DAY_SECONDS,
        remaining: Math.max(0, quota - used),
        nextSeconds: left,
        retryAfterSeconds: left,
      },
    );
  }
}
