/**
 * Asks witnesses to sign one message until enough of them have.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { CountersignError, type ErrorCode } from "../../base/errors.ts";
import type { Count, CountResult } from "./counting.ts";
import type { IndexedSignatureSet } from "../../proof/format/records.ts";

/** The reason with which a request aborts when the time for its answer is up. */
export const TIME_IS_UP = new CountersignError(
  "witness_unreachable",
  "Cannot await witness: time is up",
);

export interface CollectionContext {
  /** Counts to `required`. */
  readonly count: Count;
  readonly required: number;
  /** Ids of all witnesses, by index. */
  readonly ids: readonly string[];
  /** Indexes of the witnesses in the order in which they are asked. */
  readonly order: readonly number[];
  /** How many are asked immediately. */
  readonly atOnce: number;
  /** Asks a witness; rejects when `limit` aborts. */
  readonly ask: (witnessIndex: number, limit: AbortSignal) => Promise<Bytes>;
  /** Aborts with {@linkcode TIME_IS_UP}, or with another reason when the collection is over. */
  readonly limit: AbortSignal;
  /** A witness has answered. Its signature is not verified yet. */
  readonly answered: (witnessIndex: number) => void;
  readonly succeeded: (witnessIndex: number) => void;
  readonly failed: (witnessIndex: number, code: ErrorCode) => void;
  /**
   * The collection was over before it counted the answer of a witness, or before it had verified it.
   * `isUnneeded`: the threshold was met, and the witness has not answered.
   */
  readonly cancelled: (witnessIndex: number, isUnneeded: boolean) => void;
}

/** One collection; used once. */
export class Collection {
  readonly #context: CollectionContext;
  readonly #failures: string[] = [];
  readonly #result = Promise.withResolvers<IndexedSignatureSet>();
  #outcome: "met" | "out of reach" | "stopped" | undefined;
  readonly #asks: Promise<void>[] = [];
  #awaited = 0;

  constructor(context: CollectionContext) {
    this.#context = context;
  }

  /**
   * Returns a set of exactly the required size. Rejects with `threshold_not_met`, naming the failure of
   * each witness, as soon as that is out of reach, and with the reason of `signal` when it aborts.
   */
  async run(signal: AbortSignal): Promise<IndexedSignatureSet> {
    const stop = () => {
      this.#outcome ??= "stopped";
      this.#result.reject(signal.reason);
    };
    if (signal.aborted) stop();
    else while (this.#asks.length < this.#context.atOnce) this.#askNext();
    signal.addEventListener("abort", stop);
    try {
      return await this.#result.promise;
    } finally {
      // `signal` outlives many collections: remove this listener.
      signal.removeEventListener("abort", stop);
    }
  }

  /** Resolves when the outcome of every request is reported; all of them end with `limit`. */
  get reported(): Promise<unknown> {
    return Promise.all(this.#asks);
  }

  #askNext(): void {
    const witnessIndex = this.#context.order[this.#asks.length];
    if (witnessIndex === undefined) return;
    // Counts as asked before it asks.
    const at = this.#asks.push(Promise.resolve()) - 1;
    this.#asks[at] = this.#askOne(witnessIndex);
  }

  async #askOne(witnessIndex: number): Promise<void> {
    const { ask, limit, count } = this.#context;
    this.#awaited++;
    try {
      const signature = await abortable(ask(witnessIndex, limit), limit);
      this.#context.answered(witnessIndex);
      // The first set that meets the threshold is final: later answers are not counted.
      if (this.#outcome === "stopped") return;
      if (this.#outcome !== undefined) return this.#context.cancelled(witnessIndex, false);
      const taken = count.take({ witness: witnessIndex, signature });
      const result = taken instanceof Promise ? await taken : taken;
      const isSurplus = this.#outcome === "met" && result.right.length > 0;
      this.#settle(result);
      if (isSurplus) this.#context.cancelled(witnessIndex, false);
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
        // Valid shares may have no sum: the keys may be negatives of each other.
        if (this.#asks.length === this.#context.order.length) this.#miss();
        else this.#askNext();
      }
    }
  }

  /** Whether an answer is absent only because the collection is over. */
  #isCancelled(): boolean {
    const { limit } = this.#context;
    if (this.#outcome === "met") return true;
    return this.#outcome === "out of reach" && limit.aborted && limit.reason !== TIME_IS_UP;
  }

  #settle({ right, wrong, set }: CountResult): void {
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
    if (this.#failures.length > ids.length - required) this.#miss();
    else this.#askNext();
  }

  #miss(): void {
    const { count, ids, required } = this.#context;
    this.#outcome = "out of reach";
    // Verifies held shares, so that the error names the wrong ones.
    this.#settle(count.verifyHeld());
    this.#result.reject(
      new CountersignError(
        "threshold_not_met",
        `Cannot reach the threshold of ${required}: ${this.#failures.length} of ${ids.length} ` +
          `witnesses failed (${this.#failures.join(", ")})`,
      ),
    );
  }
}

/** `answer`, or a rejection as soon as `signal` aborts, even if the client ignores the signal. */
export function abortable<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(TIME_IS_UP);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
