/**
 * The outcome of verifying a resource that a threshold of witnesses signs.
 *
 * @module
 */

import type { NetworkConfiguration } from "../format/network.ts";
import type { Failure, Outcome } from "./reasons.ts";
import type { SignatureCount, ThresholdResult } from "./threshold.ts";

/** Whether a signed resource is valid, and its counted signatures. */
export interface SignedOutcome extends Outcome, SignatureCount {
  /** The witness id that makes the set of signatures invalid. */
  readonly witness?: string;
}

/** The outcome of a resource whose last check is the threshold. */
export function signedOutcome({ met, ...rest }: ThresholdResult): SignedOutcome {
  return { valid: met, ...rest };
}

/** The outcome of a resource that failed before its signatures were verified. */
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

/** `outcome`, or the `failure` of a later check. */
export function unlessFailed(outcome: SignedOutcome, failure: Failure | undefined): SignedOutcome {
  return failure === undefined ? outcome : { ...outcome, valid: false, ...failure };
}
