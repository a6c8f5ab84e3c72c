/**
 * Requests to witnesses that continue after their collection has ended.
 *
 * A collection ends once the threshold is met or out of reach. Then an open request continues, for the
 * time of one answer, in three cases:
 *
 * - its kind of work was failing when the witness was asked: only an answer shows that it works again;
 * - the threshold was missed: a refusal may be evidence that the store was forked;
 * - the threshold was met, and the caller wants this answer: for the size that the witness has cosigned,
 *   or to add its signature to the set.
 *
 * At most one such request is open for each witness and purpose. Meanwhile, other requests end with
 * their collection.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { type Clock, SLEEP_OVER } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { abortable, TIME_IS_UP } from "./collection.ts";
import type { WitnessPurpose } from "../observer.ts";

/** Created once: a reason for each round would cost a stack trace. */
export const ROUND_OVER = new CountersignError(
  "witness_unreachable",
  "Cannot await witness: not needed",
);

interface OpenRequest {
  readonly cancel: AbortController;
  /** The work was failing when the witness was asked. */
  readonly wasFailing: boolean;
  /** No other request for the same work may become late. */
  isLate: boolean;
}

/** The open requests of one collection that may continue after it. */
export class LateRequests {
  readonly #purpose: WitnessPurpose;
  readonly #late: Set<string>;
  /** By witness index. */
  readonly #open = new Map<number, OpenRequest>();
  /** Answers that are read after the collection. */
  readonly #answers = new Map<number, Promise<Bytes>>();
  readonly #keepsAnswers: boolean;
  /** Aborted when no request is open any more; made when the collection has ended with open ones. */
  #allAnswered: AbortController | undefined;

  /**
   * `late` is shared by all collections of a pool: the late requests, by purpose and witness.
   * {@linkcode lateAnswer} has the answers of witnesses whose work was failing; with `keepsAnswers`, all.
   */
  constructor(purpose: WitnessPurpose, late: Set<string>, keepsAnswers: boolean) {
    this.#purpose = purpose;
    this.#late = late;
    this.#keepsAnswers = keepsAnswers;
  }

  /** Whether a late request of the same work is open: then a further request must not become late. */
  isTaken(witnessIndex: number): boolean {
    return this.#late.has(this.#keyOf(witnessIndex));
  }

  /** Sends a request that may continue after the collection. */
  send(
    witnessIndex: number,
    wasFailing: boolean,
    request: (signal: AbortSignal) => Promise<Bytes>,
  ): Promise<Bytes> {
    const cancel = new AbortController();
    const open = { cancel, wasFailing, isLate: false };
    this.#open.set(witnessIndex, open);
    if (wasFailing) this.#setLate(witnessIndex, open);
    const answer = request(cancel.signal);
    const close = () => this.#close(witnessIndex);
    answer.then(close, close);
    if (wasFailing || this.#keepsAnswers) {
      const lateAnswer = abortable(answer, cancel.signal);
      // Not awaited unless the collection ends without the answer.
      lateAnswer.catch(() => {});
      this.#answers.set(witnessIndex, lateAnswer);
    }
    return answer;
  }

  /** The answer of a witness to a request that was sent with {@linkcode send}. */
  lateAnswer(witnessIndex: number): Promise<Bytes> | undefined {
    return this.#answers.get(witnessIndex);
  }

  /** Ends a request that timed out in its collection, if its work was failing before. */
  timedOut(witnessIndex: number): void {
    if (this.#open.get(witnessIndex)?.wasFailing) this.#cancel(witnessIndex, TIME_IS_UP);
  }

  /** The collection is over: requests continue while `continues` or their work was failing. */
  end(
    continues: (witnessIndex: number) => boolean,
    { clock, timeoutMs, stop }: {
      readonly clock: Clock;
      readonly timeoutMs: number;
      readonly stop: AbortSignal;
    },
  ): void {
    for (const [witnessIndex, open] of this.#open) {
      if (stop.aborted || !(open.wasFailing || continues(witnessIndex))) {
        this.#cancel(witnessIndex, ROUND_OVER);
      } else this.#setLate(witnessIndex, open);
    }
    if (this.#open.size === 0) return;
    this.#allAnswered = new AbortController();
    void clock.sleep(timeoutMs, AbortSignal.any([stop, this.#allAnswered.signal])).then(() => {
      for (const witnessIndex of this.#open.keys()) this.#cancel(witnessIndex, TIME_IS_UP);
    });
  }

  #setLate(witnessIndex: number, open: OpenRequest): void {
    open.isLate = true;
    this.#late.add(this.#keyOf(witnessIndex));
  }

  #cancel(witnessIndex: number, reason: CountersignError): void {
    const open = this.#open.get(witnessIndex);
    this.#close(witnessIndex);
    open?.cancel.abort(reason);
  }

  #close(witnessIndex: number): void {
    const open = this.#open.get(witnessIndex);
    if (open === undefined) return;
    this.#open.delete(witnessIndex);
    if (open.isLate) this.#late.delete(this.#keyOf(witnessIndex));
    if (this.#open.size === 0) this.#allAnswered?.abort(SLEEP_OVER);
  }

  #keyOf(witnessIndex: number): string {
    return `${this.#purpose} ${witnessIndex}`;
  }
}
