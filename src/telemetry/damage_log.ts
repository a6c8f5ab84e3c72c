/**
 * Damaged records that readers met. Each record is logged once, and every read of one is counted. The
 * gateway goes on; damage that a writer meets ends the process (`GatewayParts.onFatal`).
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { CountersignError, hasCode } from "../errors.ts";
import type { Report, ReportDetails } from "../report.ts";
import { reportError } from "./log_error.ts";

/** Most damaged records that are remembered: only these are logged and counted. */
const MAX_RECORDS = 1_024;
/** Lines in a minute: a record beyond them is logged when it is next met. */
const MAX_LINES = 10;
const MINUTE_MS = 60_000;
const ADVICE = "; the gateway goes on without this record: run `countersign fsck --data` to find " +
  "all damage, and restore a copy";

/** What readers met, for an operator's page. */
export interface DamageCounts {
  /** Distinct damaged records. */
  readonly records: number;
  /** Reads of them. */
  readonly reads: number;
}

/** One log for all parts of a gateway. */
export class DamageLog implements DamageCounts {
  readonly #report: Report;
  readonly #clock: Clock;
  /** Messages, each of which names its record. */
  readonly #known = new Set<string>();
  #reads = 0;
  #minute = 0;
  #lines = 0;

  constructor(report: Report, clock: Clock) {
    this.#report = report;
    this.#clock = clock;
  }

  get records(): number {
    return this.#known.size;
  }

  get reads(): number {
    return this.#reads;
  }

  /** Takes `error` when it is `store_corrupt`; false for any other. */
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
    return this.#lines++ < MAX_LINES;
  }
}
