/**
 * Verifies C2SP signed notes (c2sp.org/signed-note; K5 to K7 of verification.md "Checks of the other
 * resources").
 *
 * @module
 */

import { type Bytes, equalBytes, fromHex, utf8 } from "../../base/bytes.ts";
import { BLS_SIGNATURE_DST } from "../crypto/domains.ts";
import { verifyMlDsa } from "../crypto/ml_dsa.ts";
import { tryParse } from "../../base/errors.ts";
import { type AggregateKey, splitAggregate } from "../format/aggregate_line.ts";
import { parseLogCheckpoint } from "../format/log_checkpoint.ts";
import { type Note, type NoteSignature, splitCosignature } from "../format/note.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "../format/note_key.ts";
import { encodeSubtreeMessage } from "../format/subtree_cosignature.ts";
import { cosignatureMessage } from "../format/tree_head.ts";
import type { Outcome } from "./reasons.ts";
import type { SignatureCrypto } from "./verifier_crypto.ts";

/** A verified line. */
export interface VerifiedLine {
  readonly key: NoteKey;
  /** Time of a cosignature, Unix seconds; absent for a plain signature. */
  readonly timestamp?: number;
  /** The signers of an aggregate line: witness ids, ascending. */
  readonly signers?: readonly string[];
}

/** A key that can verify a line: of type 0x01, 0x04 or 0x06, or of all witnesses of a `bls` network. */
export type KnownKey = NoteKey | AggregateKey;

/** Whether a note is signed by a known key. */
export interface NoteResult extends Outcome {
  /** In the order of the note; one key may have several lines. Empty if the note is not valid. */
  readonly lines: readonly VerifiedLine[];
  /** Number of lines without a known key. They are ignored. */
  readonly unknown: number;
}

/**
 * Verifies `note` under `keys`. A line of a known key that does not verify makes the whole note
 * invalid; other lines are ignored; at least one line must verify.
 */
export async function verifyNote(
  crypto: SignatureCrypto,
  keys: readonly KnownKey[],
  note: Note,
): Promise<NoteResult> {
  const named = keys.map((key) => ({ key, id: noteKeyId(key) }));
  const lines: VerifiedLine[] = [];
  let unknown = 0;
  for (const [i, line] of note.signatures.entries()) {
    const known = named.find(({ key, id }) => key.name === line.name && equalBytes(id, line.keyId));
    if (known === undefined) { // K5
      unknown++;
      continue;
    }
    const verified = await verifyLine(crypto, known.key, note.text, line);
    if (verified === undefined) { // K6
      const field = `signatures[${i}]`;
      return { valid: false, reason: "signature_invalid", field, lines: [], unknown };
    }
    lines.push(verified);
  }
  // K7
  if (lines.length === 0) return { valid: false, reason: "no_known_signature", lines, unknown };
  return { valid: true, lines, unknown };
}

async function verifyLine(
  crypto: SignatureCrypto,
  key: KnownKey,
  text: string,
  line: NoteSignature,
): Promise<VerifiedLine | undefined> {
  if ("witnesses" in key) return verifyAggregate(crypto, key, text, line);
  if (key.type === NOTE_TYPE.ed25519) {
    return await crypto.ed25519(key.publicKey, utf8(text), line.payload) ? { key } : undefined;
  }
  const cosignature = splitCosignature(line.payload);
  if (cosignature === undefined) return undefined;
  const { timestamp, signature } = cosignature;
  if (key.type === NOTE_TYPE.mlDsaCosignature) {
    const message = treeMessage(key.name, timestamp, text);
    const isValid = message && await verifyMlDsa(key.publicKey, message, signature);
    return isValid ? { key, timestamp } : undefined;
  }
  if (key.type !== NOTE_TYPE.cosignature) return undefined;
  const message = utf8(cosignatureMessage(timestamp, text));
  return await crypto.ed25519(key.publicKey, message, signature) ? { key, timestamp } : undefined;
}

/** What the cosigner `name` signs with ML-DSA-44 for the tree of a checkpoint; `undefined` for another text. */
function treeMessage(cosigner: string, timestamp: number, text: string): Bytes | undefined {
  return tryParse(() => {
    const { origin, size: end, root } = parseLogCheckpoint(text);
    return encodeSubtreeMessage({ cosigner, timestamp, origin, start: 0, end, root });
  });
}

function verifyAggregate(
  crypto: SignatureCrypto,
  key: AggregateKey,
  text: string,
  line: NoteSignature,
): VerifiedLine | undefined {
  const aggregate = splitAggregate(key, line.payload);
  if (aggregate === undefined) return undefined;
  const { timestamp, signature } = aggregate;
  const signers = aggregate.signers.map((place) => key.witnesses[place]!);
  const keys = signers.map(({ pubkey }) => fromHex(pubkey));
  const message = utf8(cosignatureMessage(timestamp, text));
  return crypto.bls.fastAggregateVerify(keys, message, signature, BLS_SIGNATURE_DST)
    ? { key, timestamp, signers: signers.map(({ id }) => id) }
    : undefined;
}
