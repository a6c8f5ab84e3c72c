/**
 * Damaged records found by readers: logs each record once and counts every read. The gateway keeps
 * running; damage found by a writer ends the process (`GatewayParts.onFatal`).
 *
 * @module
 */

import type { Clock } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import { type Report, type ReportDetails, reportError } from "../../base/report.ts";

/** Further records are neither logged nor counted. */
const MAX_RECORDS = 1_024;
/** A record over this limit is logged at a later read. */
const MAX_LINES_PER_MINUTE = 10;
const MINUTE_MS = 60_000;
const ADVICE =
  "; other records are served: run `countersign fsck --data` to find all damage, and " +
  "restore a copy";

/** One per gateway. */
export class DamageLog {
  readonly #report: Report;
  readonly #clock: Clock;
  /** Messages; each names its record. */
  readonly #known = new Set<string>();
  #reads = 0;
  #minute = 0;
  #lines = 0;

  constructor(report: Report, clock: Clock) {
    this.#report = report;
    this.#clock = clock;
  }

  /** Distinct damaged records. */
  get records(): number {
    return this.#known.size;
  }

  /** Reads of them. */
  get reads(): number {
    return this.#reads;
  }

  /** Counts and logs `error` and returns true if it is `store_corrupt`. */
  take(error: unknown, details: ReportDetails = {}): error is CountersignError {
    if (!hasCode(error, "store_corrupt")) return false;
    this.#reads++;
    if (this.#known.has(error.message) || this.#known.size >= MAX_RECORDS) return true;
    if (!this.#mayLog()) return true;
    this.#known.add(error.message);
    const { code, message, cause } = error;
    const advised = new CountersignError(code, `${message}${ADVICE}`, { cause });
    reportError(this.#report, advised, details);
    return true;
  }

  #mayLog(): boolean {
    const minute = Math.floor(this.#clock.nowMs() / MINUTE_MS);
    if (minute !== this.#minute) this.#lines = 0;
    this.#minute = minute;
    return this.#lines++ < MAX_LINES_PER_MINUTE;
  }
}
