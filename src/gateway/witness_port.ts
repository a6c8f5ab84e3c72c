/**
 * The port of the gateway to its witnesses.
 *
 * @module
 */

import type { Bytes } from "../base/bytes.ts";
import type {
  CosignAnswer,
  CosignRequest,
  EpochBeginAnswer,
  EpochBeginRequest,
  EpochEndRequest,
  EpochState,
  RoundRequest,
  RoundText,
  WitnessReach,
} from "../proof/format/witness_request.ts";

/**
 * One configured witness. Answers are unverified. All methods reject with a CountersignError
 * (`witness_unreachable`, `witness_refused`, and what a witness refuses with) and stop when `signal` aborts.
 */
export interface WitnessClient {
  readonly id: string;
  /** True if the witness runs in this thread: it is never late, and its work slows everything else. */
  readonly inProcess?: boolean;
  sign(request: RoundRequest, signal: AbortSignal): Promise<Bytes>;
  /** The first of the rounds that it signed and that end beyond sequence `from`, ascending; empty if none. */
  roundsFrom(from: number, signal: AbortSignal): Promise<readonly RoundText[]>;
  cosign(request: CosignRequest, signal: AbortSignal): Promise<CosignAnswer>;
  /** Resolves when the witness answers as the one that is configured. */
  checkHealth(signal: AbortSignal): Promise<void>;
  /** How far the witness has signed. */
  reach(signal: AbortSignal): Promise<WitnessReach>;
  readonly epochs: WitnessEpochs;
}

/** Requests to a witness in a succession. Rejects as {@linkcode WitnessClient} does. */
export interface WitnessEpochs {
  /** The epoch in which the witness signs, and the succession that it is armed with. */
  state(signal: AbortSignal): Promise<EpochState>;
  end(request: EpochEndRequest, signal: AbortSignal): Promise<CosignAnswer>;
  begin(request: EpochBeginRequest, signal: AbortSignal): Promise<EpochBeginAnswer>;
}
