/**
 * Counts the results of the requests of one run.
 *
 * @module
 */

import type { Answer } from "./answer_reader.ts";
import { Histogram } from "./histogram.ts";
import type { Check, Client } from "./scenario.ts";

const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;

/** The result of a request. */
export type Fate = "accepted" | "refused" | "wrong";

/** Times are those of `performance.now()`; the window is the measured time. */
export class Tally {
  readonly startMs: number;
  readonly endMs: number;
  /** From when a request was due, of those accepted. */
  readonly latency = new Histogram();
  /** From when it was sent. */
  readonly service = new Histogram();
  /** From when it was due, of those refused. */
  readonly refusedLatency = new Histogram();
  /** Refusals in the window without `Retry-After`. */
  refusedWithoutRetryAfter = 0;
  /** Wrong answers and broken connections of the whole run, by reason. */
  readonly errors = new Map<string, number>();
  /** All answers of the whole run, and the accepted ones. */
  answers = 0;
  acceptedInAll = 0;
  /** Of accepted answers in the window. */
  bodyBytes = 0;
  /** Uniformly chosen among the accepted. */
  readonly checks: Check[] = [];
  readonly #maxChecks: number;

  constructor(startMs: number, endMs: number, maxChecks: number) {
    this.startMs = startMs;
    this.endMs = endMs;
    this.#maxChecks = maxChecks;
  }

  /** Counts an answer that came at `nowMs`; `countedMs` decides whether it is in the window. */
  answered(
    client: Client,
    answer: Answer,
    times: {
      readonly dueMs: number;
      readonly sentMs: number;
      readonly nowMs: number;
      readonly countedMs: number;
    },
  ): Fate {
    const { dueMs, sentMs, nowMs, countedMs } = times;
    const isInWindow = countedMs >= this.startMs && countedMs < this.endMs;
    this.answers++;
    if (answer.status === SERVICE_UNAVAILABLE || answer.status === TOO_MANY_REQUESTS) {
      if (isInWindow) {
        this.refusedLatency.record(nowMs - dueMs);
        if (answer.retryAfter === undefined) this.refusedWithoutRetryAfter++;
      }
      return "refused";
    }
    if (!client.accepts(answer)) {
      this.failed(answer.status === 200 ? "wrong answer" : `status ${answer.status}`);
      return "wrong";
    }
    this.acceptedInAll++;
    if (isInWindow) {
      this.latency.record(nowMs - dueMs);
      this.service.record(nowMs - sentMs);
      this.bodyBytes += answer.bodyEnd - answer.bodyStart;
    }
    this.#sample(client, answer);
    return "accepted";
  }

  failed(what: string): void {
    this.errors.set(what, (this.errors.get(what) ?? 0) + 1);
  }

  /** Algorithm R: each accepted answer is kept with the same probability. */
  #sample(client: Client, answer: Answer): void {
    const place = this.checks.length < this.#maxChecks
      ? this.checks.length
      : Math.floor(Math.random() * this.acceptedInAll);
    if (place < this.#maxChecks) this.checks[place] = client.check(answer);
  }
}
