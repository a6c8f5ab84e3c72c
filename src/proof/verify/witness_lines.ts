/**
 * Verifies stored cosignatures of foreign witnesses.
 *
 * @module
 */

import { tryParse } from "../../base/errors.ts";
import { WITNESS_TYPES } from "../format/log_policy.ts";
import { parseSignatureLine } from "../format/note.ts";
import { parseVkey } from "../format/note_key.ts";
import type { WitnessedCheckpoint } from "../format/records.ts";
import { encodeCheckpointBody } from "../format/tree_head.ts";
import { verifyNote } from "./note.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** Whether each line of `record` verifies with its key over the checkpoint of log `origin`. */
export async function verifyWitnessLines(
  crypto: VerifierCrypto,
  origin: string,
  { size, rootHash, lines }: WitnessedCheckpoint,
): Promise<boolean> {
  const text = encodeCheckpointBody({ network_id: origin, tree_size: size, root_hash: rootHash });
  for (const { vkey, line } of lines) {
    const parsed = tryParse(() =>
      [parseVkey(vkey, WITNESS_TYPES), parseSignatureLine(line.slice(0, -1))] as const
    );
    if (parsed === undefined) return false;
    const [key, signature] = parsed;
    const { valid } = await verifyNote(crypto, [key], { text, signatures: [signature] });
    if (!valid) return false;
  }
  return true;
}
