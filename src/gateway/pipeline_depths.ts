/**
 * How much is where in the pipeline: for whoever runs it.
 *
 * @module
 */

import type { Pipeline } from "./pipeline.ts";

/** Numbers at one moment, all of them in memory. */
export interface PipelineDepths {
  /** Sequences that were ever durable, durable with their signatures, and published. */
  readonly accepted: number;
  readonly confirmed: number;
  readonly published: number;
  /** Digests without a durable sequence. */
  readonly backlog: number;
  /** Durable digests that wait because witnesses did not answer. */
  readonly retryable: number;
  /** Durable digests that no round holds yet. */
  readonly unformed: number;
  /** Rounds that are put to witnesses, or wait to be again. */
  readonly roundsInFlight: number;
  /** Signed rounds that are not durable yet. */
  readonly unstoredRounds: number;
  /** Tokens that were ever spent; absent where none are. */
  readonly spent?: number;
  /** Callers whose answers are held. */
  readonly waiters: number;
  /** Runs of the index in memory, and in the store. */
  readonly unsealedRuns: number;
  readonly sealedRuns: number;
}

export function pipelineDepths(pipeline: Pipeline): PipelineDepths {
  const { committer, signer, index, spent, heads, waiters } = pipeline;
  const unstored = pipeline.unstored.map(({ size }) => size);
  return {
    accepted: committer.durable,
    // What is durable outlives the process, so that none of the three ever falls.
    confirmed: unstored.reduce(
      (left, size) => left - size,
      committer.durable - signer.unsignedCount,
    ),
    published: heads.size,
    backlog: committer.backlog,
    retryable: signer.retryableCount,
    unformed: signer.unformedCount,
    roundsInFlight: signer.roundsInFlight,
    unstoredRounds: unstored.length,
    ...(spent !== undefined && { spent: spent.index.end - spent.backlog }),
    waiters: waiters.count,
    unsealedRuns: index.unsealedRuns,
    sealedRuns: index.sealedRuns,
  };
}
