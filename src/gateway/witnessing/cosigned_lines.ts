/**
 * Checks of cosignature lines under our checkpoints.
 *
 * @module
 */

import { equalBytes, utf8 } from "../../base/bytes.ts";
import { type Note, type NoteSignature, parseNote } from "../../proof/format/note.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey, noteKeyId } from "../../proof/format/note_key.ts";
import { encodeSignatureLine } from "../../proof/format/note_writer.ts";
import type { WitnessLine } from "../../proof/format/records.ts";
import { verifyNote } from "../../proof/verify/note.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import type { ForeignWitness } from "./ports.ts";

/** Largest difference between the time of a cosignature and our clock. */
const MAX_TIME_DIFFERENCE_SECONDS = 300;

/**
 * The lines of `answered` by keys of `witness`, the first of each key. If there is none, or one does not
 * verify over `text` or has a time too far from `now`, returns the reason. Lines of other keys are ignored.
 */
export async function linesOf(
  crypto: VerifierCrypto,
  { keys }: Pick<ForeignWitness, "keys">,
  { text, answered, now }: {
    readonly text: string;
    readonly answered: readonly NoteSignature[];
    readonly now: number;
  },
): Promise<readonly WitnessLine[] | string> {
  const { lines, reason } = await verifyNote(crypto, keys, { text, signatures: answered });
  if (reason === "signature_invalid") return "its cosignature does not verify";
  if (reason !== undefined) return "it answers without a cosignature by its configured key";
  if (lines.some(({ timestamp = 0 }) => Math.abs(timestamp - now) > MAX_TIME_DIFFERENCE_SECONDS)) {
    return `its time differs from ours by more than ${MAX_TIME_DIFFERENCE_SECONDS} s`;
  }
  return firstLines(keys, answered);
}

/** The first line of each key. */
export function firstLines(
  keys: readonly NoteKey[],
  signatures: readonly NoteSignature[],
): readonly WitnessLine[] {
  return keys.flatMap((key) => {
    const id = noteKeyId(key);
    const line = signatures.find(({ name, keyId }) => name === key.name && equalBytes(keyId, id));
    return line === undefined ? [] : [{ vkey: encodeVkey(key), line: encodeSignatureLine(line) }];
  });
}

/** Bytes of the stored lines of one checkpoint with their keys: 11 keys of ML-DSA-44, or 32 of Ed25519 and 9. */
export const MAX_RECORD_BYTES = 58_000;

/** At most, for the lines of `keys`, with the JSON around them. */
export function recordBytes(keys: readonly NoteKey[]): number {
  return keys.reduce((sum, key) => {
    const line = key.type === NOTE_TYPE.mlDsaCosignature ? 3_244 : 104;
    return sum + encodeVkey(key).length + utf8(key.name).length + line + 50;
  }, 0);
}

/** The text of a checkpoint and the log's signature, which is its first line. */
export function logSigned(checkpoint: string): Note {
  const { text, signatures } = parseNote(checkpoint);
  return { text, signatures: signatures.slice(0, 1) };
}
