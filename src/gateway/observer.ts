/**
 * Who watches the pipeline at work, to measure it. The pipeline tells what it did and waits for
 * nobody: an observer neither throws nor keeps what it is told of.
 *
 * @module
 */

import type { ErrorCode } from "../errors.ts";

/** What a witness is asked for. */
export type WitnessPurpose = "sign" | "cosign";

/** Told of what has just happened. Durations are in milliseconds of the pipeline's clock. */
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
  /** The threshold was met without a witness that was asked: what it would say is not waited for. */
  witnessUnneeded(witness: string, purpose: WitnessPurpose): void;
  /** The tree grew by `leaves`; its commit took `ms`. */
  treeGrown(leaves: number, ms: number): void;
  /**
   * A head is published, `ms` after it was first put to the witnesses. The oldest leaf that it adds
   * was accepted `delayMs` before, in whole seconds; that is absent where memory does not know.
   */
  headPublished(head: { readonly ms: number; readonly delayMs?: number }): void;
}

/** Of a pipeline that nobody watches. */
export const NO_OBSERVER: PipelineObserver = {
  committed() {},
  roundSigned() {},
  witnessAnswered() {},
  witnessFailed() {},
  witnessUnneeded() {},
  treeGrown() {},
  headPublished() {},
};
