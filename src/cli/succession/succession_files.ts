/**
 * Succession documents in files: read with every signature verified, and put together.
 *
 * @module
 */

import { errorBuilder } from "../../base/errors.ts";
import type { WitnessSignature } from "../../proof/format/signature_set.ts";
import { parseSuccession, type Succession } from "../../proof/format/succession.ts";
import { coreDigest, fingerprintOf } from "../../proof/format/trust_core.ts";
import { latestOf } from "../../proof/verify/followed_network.ts";
import { reasonText } from "../../proof/verify/verdict_words.ts";
import { checkSuccession } from "../../proof/verify/succession_link.ts";
import type { CommandContext } from "../command_context.ts";
import { readDocument } from "../input_file.ts";
import { PinDiffers } from "../output.ts";
import { readNetworkFile } from "../trusted_network.ts";

/** Documents hold no secrets. */
export const DOCUMENT_MODE = 0o644;

/** `invalid_configuration` about a succession. */
export const refused = errorBuilder("invalid_configuration", "Cannot use succession");

/** Reads a document; its configurations, and all signatures that it has, are valid. */
export async function readSound(
  context: CommandContext,
  file: string,
  networkConfig: string | undefined,
): Promise<Succession> {
  const read = await readCopy(context, file);
  await requirePredecessor(context, read, networkConfig);
  return read;
}

/** {@linkcode readSound}, for a further copy of a document whose predecessor was compared. */
export async function readCopy(context: CommandContext, file: string): Promise<Succession> {
  const code = "malformed_configuration";
  const read = await readDocument(context, file, code, (text) => parseSuccession(text, code));
  await requireSound(context, read);
  return read;
}

/** Requires that its configurations, and all signatures that it has, are valid. */
export async function requireSound(context: CommandContext, succession: Succession): Promise<void> {
  const failure = await checkSuccession(context.crypto, succession);
  if (failure !== undefined) throw refused(reasonText(failure));
}

/** Requires that the document continues the configuration that the user trusts. */
async function requirePredecessor(
  context: CommandContext,
  { predecessor }: Succession,
  networkConfig: string | undefined,
): Promise<void> {
  const trusted = networkConfig === undefined
    ? await context.trust.pin(predecessor.id)
    : await readNetworkFile(context, networkConfig);
  const found = coreDigest(predecessor);
  if (trusted === undefined) {
    context.output.note(
      `${predecessor.id} is not pinned: compare the fingerprint ${found} with its operators', or name their file with --network-config`,
    );
    return;
  }
  const latest = fingerprintOf(latestOf(trusted));
  if (latest === found) return;
  if (networkConfig !== undefined) {
    throw refused(
      `it continues ${found}, but "${networkConfig}" is ${latest}: name the present configuration`,
    );
  }
  throw new PinDiffers(
    predecessor.id,
    `Cannot use succession: it continues ${found}, but the configuration that you trust is ${latest}`,
  );
}

/** `signatures` with another one, in their order. */
export function withSignature(
  signatures: readonly WitnessSignature[],
  added: WitnessSignature,
): WitnessSignature[] {
  return [...signatures.filter(({ witness_id: id }) => id !== added.witness_id), added]
    .sort((a, b) => a.witness_id < b.witness_id ? -1 : 1);
}

/** `one` with the signatures that only `other` has. Both are valid. */
export function mergedWith(one: Succession, other: Succession): Succession {
  const log = one.signatures.log ?? other.signatures.log;
  const later = one.signatures.successor_log ?? other.signatures.successor_log;
  return {
    ...one,
    signatures: {
      predecessor: other.signatures.predecessor.reduce(withSignature, [
        ...one.signatures.predecessor,
      ]),
      successor: other.signatures.successor.reduce(withSignature, [...one.signatures.successor]),
      ...(log !== undefined && { log }),
      ...(later !== undefined && { successor_log: later }),
    },
  };
}

/** The terms, which have to be equal in all copies. */
export function termsOf({ signatures: _, ...terms }: Succession): string {
  return JSON.stringify(terms);
}

export function textOf(succession: Succession): string {
  return `${JSON.stringify(succession, undefined, 2)}\n`;
}
