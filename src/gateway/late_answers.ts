/**
 * Questions to witnesses that may outlive the attempt in which they were asked.
 *
 * An attempt ends as soon as the threshold is met or out of reach, and cancels the questions that are
 * still open. If one witness is down and another refuses, the refusal of a third one would never
 * arrive. These refusals are the evidence that a store was forked. So the gateway still waits for
 * all answers to a failed attempt. After a successful attempt it waits only for answers that the
 * caller wants.
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
  witnessIndex: number,
  limit: AbortSignal,
  question: (signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Keeps at most one late question open per witness: meanwhile, the questions of later attempts
 * end with their attempt.
 */
export class LateAnswers {
  readonly #clock: Clock;
  readonly #pool: Pick<WitnessPool, "timeoutMs" | "isHeardOut">;
  readonly #purpose: WitnessPurpose;
  /** Places of the witnesses whose answer to an ended attempt is awaited. */
  readonly #awaited = new Set<number>();

  /** After an attempt, answers are awaited for the pool's timeout. */
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
   * open questions go on for a while. If it resolves, only those go on whose answer `isWanted`.
   * Others are cancelled.
   */
  async during<T>(
    stop: AbortSignal,
    collect: (ask: Ask) => Promise<T>,
    isWanted: (witnessIndex: number) => boolean = () => false,
  ): Promise<T> {
    const open = new Map<number, AbortController>();
    const awaited = new Map<number, AbortController>();
    let onAnswered = () => {};
    const ask: Ask = async (witnessIndex, limit, question) => {
      // The pool hears a failing witness out, however the attempt ends: `limit` allows it.
      const isHeardOut = this.#pool.isHeardOut(witnessIndex, this.#purpose);
      if (isHeardOut || this.#awaited.has(witnessIndex)) return await question(limit);
      const over = new AbortController();
      open.set(witnessIndex, over);
      try {
        return await question(over.signal);
      } finally {
        open.delete(witnessIndex);
        if (awaited.delete(witnessIndex)) this.#awaited.delete(witnessIndex);
        if (awaited.size === 0) onAnswered();
      }
    };
    let goesOn = (_place: number) => false;
    try {
      const result = await collect(ask);
      goesOn = isWanted;
      return result;
    } catch (error) {
      if (hasCode(error, "threshold_not_met")) goesOn = () => true;
      throw error;
    } finally {
      for (const [witnessIndex, over] of open) {
        if (goesOn(witnessIndex) && !stop.aborted) awaited.set(witnessIndex, over);
        else over.abort(ATTEMPT_OVER);
      }
      if (awaited.size > 0) {
        for (const witnessIndex of awaited.keys()) this.#awaited.add(witnessIndex);
        const answered = new AbortController();
        onAnswered = () => answered.abort();
        void this.#clock.sleep(this.#pool.timeoutMs, AbortSignal.any([stop, answered.signal]))
          .then(() => {
            for (const [witnessIndex, over] of awaited) {
              this.#awaited.delete(witnessIndex);
              over.abort(ATTEMPT_OVER);
            }
            awaited.clear();
          });
      }
    }
  }
}
