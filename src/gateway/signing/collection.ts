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
}

/** Sends the requests of a collection, and learns their outcomes. */
export interface CollectionObserver {
  /** Asks a witness. */
  ask(witnessIndex: number): Promise<Bytes>;
  /** A witness has answered. Its signature is not verified yet. */
  answered(witnessIndex: number): void;
  succeeded(witnessIndex: number): void;
  failed(witnessIndex: number, code: ErrorCode): void;
  /**
   * The collection was over before it counted the answer of a witness, or before it had verified it.
   * `isUnneeded`: the threshold was met, and the witness has not answered.
   */
  cancelled(witnessIndex: number, isUnneeded: boolean): void;
}

/** One collection; used once. */
export class Collection {
  readonly #context: CollectionContext;
  readonly #observer: CollectionObserver;
  readonly #failures: string[] = [];
  readonly #result = Promise.withResolvers<IndexedSignatureSet>();
  #outcome: "met" | "out of reach" | "stopped" | undefined;
  #asked = 0;
  /** Witnesses whose answers are awaited. */
  readonly #open = new Set<number>();
  /** Requests whose outcome is not reported yet. */
  #unreported = 0;
  #isTimeUp = false;
  #reported: PromiseWithResolvers<void> | undefined;

  constructor(context: CollectionContext, observer: CollectionObserver) {
    this.#context = context;
    this.#observer = observer;
  }

  /**
   * Returns a set of exactly the required size. Rejects with `threshold_not_met`, naming the failure of
   * each witness, as soon as that is out of reach, and with the reason of {@linkcode Collection.stop}.
   */
  run(): Promise<IndexedSignatureSet> {
    const { atOnce } = this.#context;
    while (this.#outcome === undefined && this.#asked < atOnce) this.#askNext();
    return this.#result.promise;
  }

  /** Rejects; nothing is reported any more. */
  stop(reason: unknown): void {
    this.#outcome ??= "stopped";
    this.#result.reject(reason);
  }

  /** The time for answers is up: witnesses that have not answered have failed. */
  expire(): void {
    this.#isTimeUp = true;
    for (const witnessIndex of [...this.#open]) this.#refused(witnessIndex, TIME_IS_UP);
  }

  /** Awaits no more answers. Call it when the collection is over. */
  end(): void {
    for (const witnessIndex of [...this.#open]) {
      this.#open.delete(witnessIndex);
      if (this.#outcome !== "stopped") {
        this.#observer.cancelled(witnessIndex, this.#outcome === "met");
      }
      this.#report();
    }
  }

  /** Resolves when the outcome of every request is reported. */
  get reported(): Promise<void> {
    if (this.#unreported === 0) return Promise.resolve();
    this.#reported ??= Promise.withResolvers();
    return this.#reported.promise;
  }

  #askNext(): void {
    const witnessIndex = this.#context.order[this.#asked];
    if (witnessIndex === undefined) return;
    // Counts as asked before it asks.
    this.#asked++;
    this.#unreported++;
    this.#open.add(witnessIndex);
    if (this.#isTimeUp) return this.#refused(witnessIndex, TIME_IS_UP);
    try {
      this.#observer.ask(witnessIndex).then(
        (signature) => this.#answered(witnessIndex, signature),
        (error) => this.#refused(witnessIndex, error),
      );
    } catch (error) {
      this.#refused(witnessIndex, error);
    }
  }

  #answered(witnessIndex: number, signature: Bytes): void {
    if (!this.#open.delete(witnessIndex)) return;
    try {
      this.#observer.answered(witnessIndex);
      // The first set that meets the threshold is final: later answers are not counted.
      if (this.#outcome !== undefined) {
        if (this.#outcome !== "stopped") this.#observer.cancelled(witnessIndex, false);
        return this.#report();
      }
      const taken = this.#context.count.take({ witness: witnessIndex, signature });
      if (!(taken instanceof Promise)) return this.#counted(witnessIndex, taken);
      taken.then(
        (result) => this.#counted(witnessIndex, result),
        (error) => this.#failedWith(witnessIndex, error),
      );
    } catch (error) {
      this.#failedWith(witnessIndex, error);
    }
  }

  #counted(witnessIndex: number, result: CountResult): void {
    const isSurplus = this.#outcome === "met" && result.right.length > 0;
    this.#settle(result);
    if (isSurplus) this.#observer.cancelled(witnessIndex, false);
    this.#report();
  }

  #refused(witnessIndex: number, error: unknown): void {
    if (this.#open.delete(witnessIndex)) this.#failedWith(witnessIndex, error);
  }

  #failedWith(witnessIndex: number, error: unknown): void {
    if (this.#outcome === "met") this.#observer.cancelled(witnessIndex, true);
    else if (this.#outcome !== "stopped") {
      const code = error instanceof CountersignError ? error.code : "witness_unreachable";
      this.#fail(witnessIndex, code);
    }
    this.#report();
  }

  /** The outcome of a request is reported. */
  #report(): void {
    this.#unreported--;
    if (this.#unreported > 0) return;
    if (this.#outcome === undefined) {
      // Valid shares may have no sum: the keys may be negatives of each other.
      if (this.#asked === this.#context.order.length) this.#miss();
      else this.#askNext();
    }
    if (this.#unreported === 0) this.#reported?.resolve();
  }

  #settle({ right, wrong, set }: CountResult): void {
    for (const witnessIndex of right) this.#observer.succeeded(witnessIndex);
    if (set !== undefined) {
      this.#outcome = "met";
      this.#result.resolve(set);
    }
    for (const witnessIndex of wrong) this.#fail(witnessIndex, "witness_refused");
  }

  #fail(witnessIndex: number, code: ErrorCode): void {
    const { ids, required } = this.#context;
    this.#observer.failed(witnessIndex, code);
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
