/**
 * Two successions of one configuration, as `log contradictions` finds them in evidence or in the chain
 * of a gateway.
 *
 * @module
 */

import { chainOf } from "../client/further_epochs.ts";
import { unixSeconds } from "../base/clock.ts";
import type { SuccessionLink } from "../proof/format/succession.ts";
import type { SuccessionConflict } from "../proof/format/succession_conflict.ts";
import type { Outcome } from "../proof/verify/reasons.ts";
import {
  conflictIn,
  type ConflictResult,
  verifyConflict,
} from "../proof/verify/succession_conflict.ts";
import type { CommandContext } from "./command_context.ts";
import { type Line, timeText } from "./output.ts";
import { type ShownSource, sourceJson, type TrustedNetwork } from "./trusted_network.ts";
import { describeFailure } from "./verdict_report.ts";

/** One piece of evidence; not verified without a configuration of its network. */
export interface Finding<C, R> {
  readonly contradiction: C;
  readonly trusted?: TrustedNetwork;
  readonly result?: R;
}

/** Two successions of one configuration. */
export type ConflictFinding = Finding<SuccessionConflict, ConflictResult>;

/** The gateway's chain compared with that of the configuration `named`, or else of the pin. */
export async function conflictsShown(
  context: CommandContext,
  named: TrustedNetwork | undefined,
): Promise<ConflictFinding[]> {
  const links = await chainOf(context.gateway);
  const trusted = named ?? await pinOf(context, links[0]?.predecessor.id);
  if (trusted === undefined) return [];
  const { network } = trusted;
  const now = unixSeconds(context.process.clock);
  const contradiction = await conflictIn(context.crypto, network, links, now);
  if (contradiction === undefined) return [];
  const result = await verifyConflict(context.crypto, network, contradiction);
  return [{ contradiction, trusted, result }];
}

async function pinOf(
  { trust }: CommandContext,
  id: string | undefined,
): Promise<TrustedNetwork | undefined> {
  const network = id === undefined ? undefined : await trust.pin(id);
  return network && { network, source: { kind: "pin" } };
}

/** What a report says of any evidence, as JSON. */
export interface ShownEvidence extends Pick<Outcome, "reason" | "field"> {
  readonly origin: string;
  readonly found_at: number;
  readonly status: "verified" | "failed" | "not_checked";
  readonly signed_both?: readonly string[] | undefined;
  readonly configuration?: ShownSource | undefined;
}

interface ShownEnd {
  readonly tree_size: number;
  readonly root_hash: string;
}

/** Two successions, as JSON. */
export interface ShownConflict extends ShownEvidence {
  readonly epoch: number;
  readonly first: ShownEnd;
  readonly second: ShownEnd;
}

export function conflictJson(
  { contradiction, trusted, result }: ConflictFinding,
): ShownConflict {
  const { origin, found_at, first, second } = contradiction;
  return {
    origin,
    found_at,
    epoch: first.predecessor.epoch,
    ...outcomeJson(result),
    first: endOf(first),
    second: endOf(second),
    ...(result?.valid && { signed_both: result.signedBoth }),
    configuration: trusted && sourceJson(trusted),
  };
}

function endOf({ end: { tree_size, root_hash } }: SuccessionLink): ShownEnd {
  return { tree_size, root_hash };
}

export function outcomeJson(
  result: Outcome | undefined,
): Pick<ShownEvidence, "status" | "reason" | "field"> {
  return {
    status: result === undefined ? "not_checked" : result.valid ? "verified" : "failed",
    ...(result?.reason !== undefined && { reason: result.reason }),
    ...(result?.field !== undefined && { field: result.field }),
  };
}

/** The same for people. */
export function conflictLines(shown: ShownConflict): Line[] {
  return [
    `${shown.origin}: two ends of epoch ${shown.epoch}: ${outcomeText(shown)}`,
    ...[shown.first, shown.second].map((end) => `  size ${end.tree_size}, root ${end.root_hash}`),
    ...signedBothLines("signed", shown.signed_both),
    `  reported as found: ${timeText(shown.found_at)}`,
  ];
}

/** Empty unless the contradiction is proved. */
export function signedBothLines(
  verb: "signed" | "cosigned",
  ids: readonly string[] | undefined,
): string[] {
  return ids === undefined ? [] : [`  witnesses that ${verb} both: ${ids.join(", ") || "none"}`];
}

/** The status for people. */
export function outcomeText(
  { status, reason, field }: Pick<ShownEvidence, "status" | "reason" | "field">,
): string {
  return status === "not_checked"
    ? "not checked: name the network's configuration with --network-config FILE"
    : describeFailure({ reason, field }, status);
}
