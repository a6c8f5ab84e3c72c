/**
 * Words for the parts of a verdict, which every report has in the same way.
 *
 * @module
 */

import { momentText } from "../../base/moment_text.ts";
import { VERIFY_REASONS } from "./reasons.ts";
import type { SignedOutcome } from "./signed_outcome.ts";
import type { TimeBound, TimeBracket } from "./time_bracket.ts";
import type { FederationSummary, Level } from "./verdict.ts";

/** As in "VALID (Batched)". */
export const LEVEL_NAMES: Readonly<Record<Exclude<Level, "invalid">, string>> = {
  basic: "Basic",
  batched: "Batched",
  federated: "Federated",
};

/** "2 of 2 needed signatures". */
export function signatureCountText(
  { verified, required }: { readonly verified: number; readonly required: number },
): string {
  return verified > required
    ? `${verified} signatures, ${required} needed`
    : `${verified} of ${required} needed signatures`;
}

/** Why a check failed, with the field and the witness; empty where it did not. */
export function reasonText(
  { reason, field, witness }: {
    readonly [N in "reason" | "field" | "witness"]?: SignedOutcome[N] | undefined;
  },
): string {
  if (reason === undefined) return "";
  const where = [field, witness].filter((name) => name !== undefined).join(", ");
  return where === "" ? VERIFY_REASONS[reason] : `${VERIFY_REASONS[reason]} (${where})`;
}

/** "1 of 2 required peers count". */
export function federationText({ counted, required }: FederationSummary): string {
  return `${counted.length} of ${required} required peers count`;
}

/** protocol.md "Command line" fixes these words. */
export function externalText(present: number): string {
  return present > 0 ? "present, not independently verified" : "absent";
}

/** "from … to …"; `undefined` if nothing bounds the time. */
export function intervalText({ not_before, not_after }: TimeBracket): string | undefined {
  const [from] = not_before;
  const [to] = not_after;
  if (to === undefined) return undefined;
  return from === undefined
    ? `until ${momentText(to.time)}; without a beacon, only clocks vouch for the beginning`
    : `from ${momentText(from.time)} to ${momentText(to.time)}`;
}

export function boundText({ time, source, word }: TimeBound): string {
  return `${momentText(time)}: ${source}, according to ${word}`;
}

export function contradictionText(
  { not_before: lower, not_after: upper }: TimeBracket["contradictions"][number],
): string {
  return `${upper.source} of ${momentText(upper.time)} precedes ${lower.source} of ` +
    momentText(lower.time);
}
