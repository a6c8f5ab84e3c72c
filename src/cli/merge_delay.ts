/**
 * Whether an attestation waits for its batch longer than the network promises (protocol.md "Signed
 * messages"): one
 * that is absent from the log after the merge delay is evidence of misbehaviour.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../clock.ts";
import type { Attestation } from "../format/attestation.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { timeText } from "./output.ts";

/** Unix seconds at which the batch of `attestation` was due; `undefined` until that has passed. */
export function overdueSince(
  { merge_delay_seconds: delay }: NetworkConfiguration,
  { timestamp }: Attestation,
  clock: Clock,
): number | undefined {
  if (delay === undefined) return undefined;
  const due = timestamp + delay;
  return unixSeconds(clock) > due ? due : undefined;
}

/** The same for people. */
export function overdueText(due: number): string {
  return `batch overdue: the network promised one by ${timeText(due)} (keep the attestation: a ` +
    "log without it is evidence)";
}
