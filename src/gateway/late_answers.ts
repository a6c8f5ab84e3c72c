/**
 * Questions to witnesses that may outlive the attempt in which they were asked.
 *
 * An attempt fails as soon as the threshold is out of reach, and cancels the questions that are
 * still open. If one witness is down and another refuses, the refusal of a third one would never
 * arrive. But their refusals are the evidence that a store was forked, so that the answers of a
 * failed attempt are awaited.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { CountersignError, hasCode } from "../errors.ts";
import type { WitnessPurpose } from "./observer.ts";
import type { WitnessPool } from "./witness_pool.ts";

/** Made once: a reason for each attempt would cost a stack trace. */
const ATTEMPT_OVER = new CountersignError(
  "witness_unreachable",
  "Cannot await witness: not needed",
);

/** Puts `question` to the witness at `place`. `limit` is the signal of the collection. */
type Ask = <Answer>(
  place: number,
  limit: AbortSignal,
  question: (signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Keeps open questions of failed attempts few: while one to a witness goes on, those of later attempts
 * end with their attempt.
 */
export class LateAnswers {
  readonly #clock: Clock;
  readonly #pool: Pick<WitnessPool, "timeoutMs" | "isHeardOut">;
  readonly #purpose: WitnessPurpose;
  /** Places of the witnesses whose answer to a failed attempt is awaited. */
  readonly #awaited = new Set<number>();

  /** After an attempt failed, answers are awaited for the pool's timeout. */
  constructor(
    clock: Clock,
    pool: Pick<WitnessPool, "timeoutMs" | "isHeardOut">,
    purpose: WitnessPurpose,
  ) {
    this.#clock = clock;
    this.#pool = pool;
    this.#purpose = purpose;
  }

  /**
   * Runs `collect`, which puts each question through `ask`. If it rejects with `threshold_not_met`,
   * open questions go on for a while; otherwise they are cancelled.
   */
  async during<T>(stop: AbortSignal, collect: (ask: Ask) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const open = new Set<number>();
    let onAnswered = () => {};
    let isLate = false;
    try {
      return await collect(async (place, limit, question) => {
        // The pool hears a failing witness out, whether the attempt fails or not: `limit` allows it.
        const isHeardOut = this.#pool.isHeardOut(place, this.#purpose);
        if (isHeardOut || this.#awaited.has(place)) return await question(limit);
        open.add(place);
        try {
          return await question(over.signal);
        } finally {
          open.delete(place);
          if (isLate) this.#awaited.delete(place);
          if (open.size === 0) onAnswered();
        }
      });
    } catch (error) {
      isLate = hasCode(error, "threshold_not_met") && open.size > 0 && !stop.aborted;
      throw error;
    } finally {
      if (!isLate) over.abort(ATTEMPT_OVER);
      else {
        for (const place of open) this.#awaited.add(place);
        const answered = new AbortController();
        onAnswered = () => answered.abort();
        void this.#clock.sleep(this.#pool.timeoutMs, AbortSignal.any([stop, answered.signal]))
          .then(() => over.abort(ATTEMPT_OVER));
      }
    }
  }
}
