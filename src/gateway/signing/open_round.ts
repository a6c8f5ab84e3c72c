/**
 * A round in flight: being signed, or waiting for its next attempt.
 *
 * @module
 */

import type { WaitingState } from "../fronts/ports.ts";
import { Proposal, type ProposedText } from "./proposal.ts";
import type { SequenceRange } from "./unformed_ranges.ts";

export interface OpenRound {
  readonly first: number;
  readonly size: number;
  readonly proposal: Proposal;
  attempts: number;
  isSigned: boolean;
  /** {@linkcode Proposal.isStuck} after the last attempt. */
  isStuck: boolean;
  nextAttemptAt: number | undefined;
  failedAt: number | undefined;
  lastError: WaitingState["lastError"];
}

/**
 * A round of `range`, with the text that witnesses signed for it, if any. `before` is a round that has
 * ended and had some of its sequences: its attempts count for the new round, too.
 */
export function openRound(
  { start, end }: SequenceRange,
  adopted: ProposedText | undefined,
  before: OpenRound | undefined,
): OpenRound {
  return {
    first: start,
    size: end - start,
    proposal: new Proposal(adopted),
    attempts: before?.attempts ?? 0,
    isSigned: false,
    isStuck: false,
    nextAttemptAt: undefined,
    failedAt: before?.failedAt,
    lastError: undefined,
  };
}

/** Whether its last attempt failed. */
export function isFailing({ lastError }: OpenRound): boolean {
  return lastError !== undefined;
}

/** Whether one of its attempts failed. */
export function hasFailed({ attempts, lastError }: OpenRound): boolean {
  return attempts > 1 || lastError !== undefined;
}

export function stateOf(round: OpenRound): WaitingState {
  return {
    attempts: round.attempts,
    ...(round.nextAttemptAt !== undefined && { nextAttemptAt: round.nextAttemptAt }),
    ...(round.failedAt !== undefined && { failedAt: round.failedAt }),
    ...(round.lastError !== undefined && { lastError: round.lastError }),
  };
}
