/**
 * The numbers of digests and rounds in each stage of the pipeline, for the operator.
 *
 * @module
 */

import type { Pipeline } from "./pipeline.ts";

export interface PipelineDepths {
  /** Sequences that are durable, durable with their signatures, and published. */
  readonly accepted: number;
  readonly confirmed: number;
  readonly published: number;
  /** Digests without a durable sequence. */
  readonly backlog: number;
  /** Durable digests that wait because witnesses did not answer. */
  readonly retryable: number;
  /** Durable digests without a round. */
  readonly unformed: number;
  /** Rounds that are being signed or wait for their next attempt. */
  readonly roundsInFlight: number;
  /** Signed rounds that are not durable yet. */
  readonly unstoredRounds: number;
  /** Redeemed tokens; absent if the gateway redeems none. */
  readonly spent?: number;
  /** Requests that wait for their jobs. */
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
    // Counts only durable digests, so that none of the three ever decreases.
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
