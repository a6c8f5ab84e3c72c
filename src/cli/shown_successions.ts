/**
 * Two successions of one configuration, as `log contradictions` finds them in a file or in the chain of
 * a gateway.
 *
 * @module
 */

import { chainOf } from "../client/further_epochs.ts";
import { unixSeconds } from "../clock.ts";
import { parseSuccessionConflict, type SuccessionConflict } from "../format/succession_conflict.ts";
import { conflictIn, type ConflictResult, verifyConflict } from "../verify/succession_conflict.ts";
import { type CommandContext, ONLINE_PERMISSIONS } from "./command_context.ts";
import { readDocument, STDIN } from "./input_file.ts";
import { type Line, timeText } from "./output.ts";
import { sourceJson, type TrustedNetwork, trustedNetwork } from "./trusted_network.ts";
import { describeFailure } from "./verdict_report.ts";

interface ConflictOptions {
  readonly file?: string | undefined;
  readonly networkConfig?: string | undefined;
}

/** Two successions of one configuration, and what is proved of them. */
export interface ConflictFinding {
  readonly conflict: SuccessionConflict;
  readonly trusted: TrustedNetwork;
  readonly result: ConflictResult;
}

/** A file with evidence of two successions, if it is such a file. */
export async function conflictsIn(
  { file, networkConfig }: ConflictOptions,
  context: CommandContext,
): Promise<ConflictFinding[]> {
  if (file === undefined || file === STDIN) return [];
  context.process.dropPermissions([...ONLINE_PERMISSIONS, "write"]);
  const code = "malformed_bundle";
  const conflict = await readDocument(
    context,
    file,
    code,
    (text) => text.includes(`"predecessor"`) ? parseSuccessionConflict(text, code) : undefined,
  );
  if (conflict === undefined) return [];
  const trust = { networkConfig, online: false };
  const trusted = await trustedNetwork(context, trust, conflict.origin);
  const result = await verifyConflict(context.crypto, trusted.network, conflict);
  return [{ conflict, trusted, result }];
}

/** The gateway's chain compared with the one that leads from the pin. */
export async function conflictsShown(
  { networkConfig }: ConflictOptions,
  context: CommandContext,
): Promise<ConflictFinding[]> {
  // A file has no chain that the gateway's could contradict.
  if (networkConfig !== undefined) return [];
  const links = await chainOf(context.gateway);
  const id = links[0]?.predecessor.id;
  const pin = id === undefined ? undefined : await context.trust.pin(id);
  const conflict = pin && conflictIn(pin, links, unixSeconds(context.process.clock));
  if (pin === undefined || conflict === undefined) return [];
  const result = await verifyConflict(context.crypto, pin, conflict);
  return [{ conflict, trusted: { network: pin, source: { kind: "pin" } }, result }];
}

/** For a JSON report. */
export function conflictJson(
  { conflict, trusted, result }: ConflictFinding,
): Record<string, unknown> {
  const { origin, found_at, first } = conflict;
  return {
    ...{
      origin,
      found_at,
      epoch: first.predecessor.epoch,
      status: result.valid ? "verified" : "failed",
    },
    ...(result.reason !== undefined && { reason: result.reason }),
    ...(result.field !== undefined && { field: result.field }),
    ...(result.valid && { signed_both: result.signedBoth }),
    configuration: sourceJson(trusted),
  };
}

/** The same for people. */
export function conflictLines({ conflict, result }: ConflictFinding): Line[] {
  const { origin, found_at, first, second } = conflict;
  return [
    `${origin}: two ends of epoch ${first.predecessor.epoch}: ${
      describeFailure(result, result.valid ? "verified" : "failed")
    }`,
    ...[first, second].map(({ end }) => `  size ${end.tree_size}, root ${end.root_hash}`),
    ...(result.valid
      ? [`  witnesses that signed both: ${result.signedBoth.join(", ") || "none"}`]
      : []),
    `  reported as found: ${timeText(found_at)}`,
  ];
}
