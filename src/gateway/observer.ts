/**
 * Measurements of the pipeline, and listeners for changes of the log. An observer must neither throw nor
 * keep its arguments.
 *
 * @module
 */

import type { ErrorCode } from "../base/errors.ts";
import type { Report } from "../base/report.ts";

/** Why a witness is asked: to sign a round or to cosign a tree head. */
export type WitnessPurpose = "sign" | "cosign";

/** Called after each event. Durations are in milliseconds of the pipeline's clock. */
export interface PipelineObserver {
  /** One commit of the committer is durable, however many attempts it took. */
  committed(commit: { readonly digests: number; readonly ms: number }): void;
  /** A round met the threshold, `ms` after it was formed, in the last of `attempts`. */
  roundSigned(
    round: { readonly size: number; readonly attempts: number; readonly ms: number },
  ): void;
  /** A witness answered, `ms` after it was asked. What it answered is not verified yet. */
  witnessAnswered(witness: string, purpose: WitnessPurpose, ms: number): void;
  /** A witness did not answer in time, refused, or answered what does not verify. */
  witnessFailed(witness: string, purpose: WitnessPurpose, code: ErrorCode): void;
  /** The threshold was met before this witness answered. */
  witnessUnneeded(witness: string, purpose: WitnessPurpose): void;
  /** The tree grew by `leaves`; its commit took `ms`. */
  treeGrown(leaves: number, ms: number): void;
  /**
   * A head is published, `ms` after it was first sent to the witnesses. The oldest leaf that it adds
   * was accepted `delayMs` before, in whole seconds; that is absent where memory does not know.
   */
  headPublished(head: { readonly ms: number; readonly delayMs?: number }): void;
}

/** Measures nothing. */
export const NO_OBSERVER: PipelineObserver = {
  committed() {},
  roundSigned() {},
  witnessAnswered() {},
  witnessFailed() {},
  witnessUnneeded() {},
  treeGrown() {},
  headPublished() {},
};

/** Listeners for one kind of change. An error of a listener is reported and does not affect the pipeline. */
export class Listeners {
  readonly #listeners = new Set<() => void>();
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  /** Calls `listener` each time, until `signal` aborts. */
  listen(listener: () => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    // The same function may be registered twice.
    const own = () => listener();
    this.#listeners.add(own);
    signal.addEventListener("abort", () => this.#listeners.delete(own), { once: true });
  }

  /** Calls all listeners; the change is durable. */
  notify(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.#report(
          `A listener for changes of the log failed: ${
            error instanceof Error ? error.message : error
          }`,
        );
      }
    }
  }
}
