/**
 * The outcome of verifying something that a threshold of witnesses signs.
 *
 * @module
 */

import type { NetworkConfiguration } from "../format/network.ts";
import type { Failure, Outcome } from "./reasons.ts";
import type { SignatureCount, ThresholdResult } from "./threshold.ts";

/** Whether a signed resource is valid, and how many signatures were counted for it. */
export interface SignedOutcome extends Outcome, SignatureCount {
  /** The witness id that makes the set of signatures invalid. */
  readonly witness?: string;
}

/** The outcome of something whose validity is that its signatures meet the threshold. */
export function signedOutcome({ met, ...rest }: ThresholdResult): SignedOutcome {
  return { valid: met, ...rest };
}

/** The outcome of something that failed before its signatures were looked at. */
export function rejectedUncounted(network: NetworkConfiguration, failure: Failure): SignedOutcome {
  return {
    valid: false,
    ...failure,
    verified: 0,
    required: network.threshold,
    signers: [],
    unknown: [],
  };
}

/** `outcome`, unless a later check found a `failure`. */
export function unlessFailed(outcome: SignedOutcome, failure: Failure | undefined): SignedOutcome {
  return failure === undefined ? outcome : { ...outcome, valid: false, ...failure };
}
