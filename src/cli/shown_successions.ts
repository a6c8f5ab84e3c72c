/**
 * Two successions of one configuration, as `log contradictions` finds them in evidence or in the chain
 * of a gateway.
 *
 * @module
 */

import { chainOf } from "../client/further_epochs.ts";
import { unixSeconds } from "../base/clock.ts";
import type { SuccessionConflict } from "../proof/format/succession_conflict.ts";
import type { Outcome } from "../proof/verify/reasons.ts";
import {
  conflictIn,
  type ConflictResult,
  verifyConflict,
} from "../proof/verify/succession_conflict.ts";
import type { CommandContext } from "./command_context.ts";
import { type Line, timeText } from "./output.ts";
import { sourceJson, type TrustedNetwork } from "./trusted_network.ts";
import { describeFailure } from "./verdict_report.ts";

/** One piece of evidence; not verified without a configuration of its network. */
export interface Finding<C, R> {
  readonly contradiction: C;
  readonly trusted?: TrustedNetwork;
  readonly result?: R;
}

/** Two successions of one configuration. */
export type ConflictFinding = Finding<SuccessionConflict, ConflictResult>;

/** The gateway's chain compared with the one that leads from the pin. */
export async function conflictsShown(
  { networkConfig }: { readonly networkConfig?: string | undefined },
  context: CommandContext,
): Promise<ConflictFinding[]> {
  // A file has no chain that the gateway's could contradict.
  if (networkConfig !== undefined) return [];
  const links = await chainOf(context.gateway);
  const id = links[0]?.predecessor.id;
  const pin = id === undefined ? undefined : await context.trust.pin(id);
  if (pin === undefined) return [];
  const now = unixSeconds(context.process.clock);
  const contradiction = await conflictIn(context.crypto, pin, links, now);
  if (contradiction === undefined) return [];
  const result = await verifyConflict(context.crypto, pin, contradiction);
  return [{ contradiction, trusted: { network: pin, source: { kind: "pin" } }, result }];
}

/** For a JSON report. */
export function conflictJson(
  { contradiction, trusted, result }: ConflictFinding,
): Record<string, unknown> {
  const { origin, found_at, first } = contradiction;
  return {
    origin,
    found_at,
    epoch: first.predecessor.epoch,
    status: statusOf(result),
    reason: result?.reason,
    field: result?.field,
    ...(result?.valid && { signed_both: result.signedBoth }),
    configuration: trusted && sourceJson(trusted),
  };
}

/** The same for people. */
export function conflictLines({ contradiction, result }: ConflictFinding): Line[] {
  const { origin, found_at, first, second } = contradiction;
  return [
    `${origin}: two ends of epoch ${first.predecessor.epoch}: ${outcomeOf(result)}`,
    ...[first, second].map(({ end }) => `  size ${end.tree_size}, root ${end.root_hash}`),
    ...(result?.valid
      ? [`  witnesses that signed both: ${result.signedBoth.join(", ") || "none"}`]
      : []),
    `  reported as found: ${timeText(found_at)}`,
  ];
}

export function statusOf(result: Outcome | undefined): "verified" | "failed" | "not_checked" {
  if (result === undefined) return "not_checked";
  return result.valid ? "verified" : "failed";
}

/** The status for people. */
export function outcomeOf(result: Outcome | undefined): string {
  return result === undefined
    ? "not checked: name the network's configuration with --network-config FILE"
    : describeFailure(result, statusOf(result));
}
