/**
 * One message put to witnesses until as many as are required have signed it.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import type { Count, Judgement } from "./counting.ts";
import type { IndexedSignatureSet } from "../format/records.ts";

/** Why a collection's limit aborts when the time for answers is up. */
export const TIME_IS_UP = new CountersignError(
  "witness_unreachable",
  "Cannot await witness: time is up",
);

/** What a collection is made of. */
export interface CollectingContext {
  /** Counts to `required`. */
  readonly count: Count;
  readonly required: number;
  /** Ids by place, of all witnesses that there are. */
  readonly ids: readonly string[];
  /** Places in the order in which they are asked, and how many without waiting for another. */
  readonly witnessIndexes: readonly number[];
  readonly atOnce: number;
  /** The answer of the witness at a place, until `limit` aborts. */
  readonly ask: (witnessIndex: number, limit: AbortSignal) => Promise<Bytes>;
  /** Aborts with {@linkcode TIME_IS_UP}, and with another reason when the collection is over. */
  readonly limit: AbortSignal;
  /** The witness at a place has answered; whether it counts is told later. */
  readonly answered: (witnessIndex: number) => void;
  readonly succeeded: (witnessIndex: number) => void;
  readonly failed: (witnessIndex: number, code: ErrorCode) => void;
  /**
   * The collection was over before the answer of the witness at a place was counted. Neither a success
   * nor a failure. `isUnneeded`: the threshold was met, and it has not answered.
   */
  readonly cancelled: (witnessIndex: number, isUnneeded: boolean) => void;
}

/** One collection. Used once. */
export class Collecting {
  readonly #context: CollectingContext;
  readonly #failures: string[] = [];
  readonly #result = Promise.withResolvers<IndexedSignatureSet>();
  #outcome: "met" | "out of reach" | "stopped" | undefined;
  #asked = 0;
  #awaited = 0;

  constructor(context: CollectingContext) {
    this.#context = context;
  }

  /**
   * The set of exactly as many as are required. Rejects with `threshold_not_met`, naming what each
   * other one did, as soon as that is out of reach, and with the reason of `signal` when it aborts.
   */
  async run(signal: AbortSignal): Promise<IndexedSignatureSet> {
    const stop = () => {
      this.#outcome ??= "stopped";
      this.#result.reject(signal.reason);
    };
    if (signal.aborted) stop();
    else while (this.#asked < this.#context.atOnce) this.#askNext();
    signal.addEventListener("abort", stop);
    try {
      return await this.#result.promise;
    } finally {
      // `signal` outlives many collections: nothing of this one stays on it.
      signal.removeEventListener("abort", stop);
    }
  }

  #askNext(): void {
    const witnessIndex = this.#context.witnessIndexes[this.#asked];
    if (witnessIndex === undefined) return;
    this.#asked++;
    void this.#askOne(witnessIndex);
  }

  async #askOne(witnessIndex: number): Promise<void> {
    const { ask, limit, count } = this.#context;
    this.#awaited++;
    try {
      const signature = await abortable(ask(witnessIndex, limit), limit);
      this.#context.answered(witnessIndex);
      // After the threshold a late answer is not counted: what was counted is final.
      if (this.#outcome === "stopped") return;
      if (this.#outcome !== undefined) return this.#context.cancelled(witnessIndex, false);
      const judgement = count.take({ witness: witnessIndex, signature });
      this.#settle(judgement instanceof Promise ? await judgement : judgement);
    } catch (error) {
      if (this.#outcome === "stopped") return;
      if (this.#isCancelled()) {
        return this.#context.cancelled(witnessIndex, this.#outcome === "met");
      }
      this.#fail(
        witnessIndex,
        error instanceof CountersignError ? error.code : "witness_unreachable",
      );
    } finally {
      this.#awaited--;
      if (this.#awaited === 0 && this.#outcome === undefined) {
        // Right shares may have no sum: of keys that are each other's negatives.
        if (this.#asked === this.#context.witnessIndexes.length) this.#giveUp();
        else this.#askNext();
      }
    }
  }

  /** Whether an answer is missing only because the collection is over. */
  #isCancelled(): boolean {
    const { limit } = this.#context;
    if (this.#outcome === "met") return true;
    return this.#outcome === "out of reach" && limit.aborted && limit.reason !== TIME_IS_UP;
  }

  #settle({ right, wrong, set }: Judgement): void {
    for (const witnessIndex of right) this.#context.succeeded(witnessIndex);
    if (set !== undefined) {
      this.#outcome = "met";
      this.#result.resolve(set);
    }
    for (const witnessIndex of wrong) this.#fail(witnessIndex, "witness_refused");
  }

  #fail(witnessIndex: number, code: ErrorCode): void {
    const { ids, required, failed } = this.#context;
    failed(witnessIndex, code);
    this.#failures.push(`${ids[witnessIndex]}: ${code}`);
    if (this.#outcome !== undefined) return;
    if (this.#failures.length > ids.length - required) this.#giveUp();
    else this.#askNext();
  }

  #giveUp(): void {
    const { count, required } = this.#context;
    this.#outcome = "out of reach";
    // Those that are found wrong only now are named as well.
    this.#settle(count.judgeHeld());
    this.#result.reject(
      new CountersignError(
        "threshold_not_met",
        `Cannot reach the threshold: ${required} signatures required, ` +
          `found ${count.size} (${this.#failures.join(", ")})`,
      ),
    );
  }
}

/** `answer`, or a rejection when `signal` aborts first: a client that ignores it cannot hold us. */
export function abortable<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () =>
      reject(new CountersignError("witness_unreachable", "Cannot await witness: time is up"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
