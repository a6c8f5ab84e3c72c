/**
 * Verifier keys of C2SP signed notes (c2sp.org/signed-note):
 *
 *     <name>+<8 hex key ID>+<base64(type || public key)>
 *
 * The key ID is SHA-256(name || 0x0A || type || public key)[:4].
 *
 * @module
 */

import { base64Of, type Bytes, bytesOfBase64, concat, hexOf, utf8 } from "../../base/bytes.ts";
import { sha256 } from "../crypto/hashing.ts";
import { ML_DSA_KEY_LENGTH } from "../crypto/ml_dsa_lengths.ts";
import { CountersignError } from "../../base/errors.ts";

/** Signature types of the signed-note specification that this project uses. */
export const NOTE_TYPE = {
  /** Ed25519 over the note text: the log's own key. */
  ed25519: 0x01,
  /** Ed25519 cosignature/v1: a witness's key. */
  cosignature: 0x04,
  /** ML-DSA-44 cosignature of a tree: a further key of a witness or a log. */
  mlDsaCosignature: 0x06,
  /** Private use: a `bls` witness's key, and the aggregate of a `bls` network. */
  private: 0xff,
} as const;

/** A named public key that verifies a signature line of a note. */
export interface NoteKey {
  readonly name: string;
  readonly type: number;
  /** Identifies the private type; only for type 0xff. */
  readonly identifier?: string;
  readonly publicKey: Bytes;
}

/** Bytes of the public keys that have verifier keys, by their types. */
const KEY_LENGTHS: Readonly<Record<number, number>> = {
  [NOTE_TYPE.ed25519]: 32,
  [NOTE_TYPE.cosignature]: 32,
  [NOTE_TYPE.mlDsaCosignature]: ML_DSA_KEY_LENGTH,
};

const ED25519_TYPES: readonly number[] = [NOTE_TYPE.ed25519, NOTE_TYPE.cosignature];

/** The four bytes that identify `key` in a signature line. */
export function noteKeyId(key: NoteKey): Bytes {
  const { name, type, identifier = "", publicKey } = key;
  return sha256(
    concat(utf8(`${name}\n`), Uint8Array.of(type), utf8(identifier), publicKey),
  ).slice(0, 4);
}

/** The verifier key text ("vkey") of a key that is not of the private type. */
export function encodeVkey(key: NoteKey): string {
  const typed = concat(Uint8Array.of(key.type), key.publicKey);
  return `${key.name}+${hexOf(noteKeyId(key))}+${base64Of(typed)}`;
}

/** Parses a vkey of one of `types`, by default 0x01 and 0x04; `invalid_key`. Messages call it `what`. */
export function parseVkey(
  text: string,
  types: readonly number[] = ED25519_TYPES,
  what = "verifier key",
): NoteKey {
  // Only the first two "+" separate: the base64 may have further ones.
  const [, name = "", , encoded = ""] =
    /^([^+\p{White_Space}]+)\+([0-9a-f]{8})\+(.*)$/su.exec(text) ?? [];
  const typed = bytesOfBase64(encoded) ?? new Uint8Array();
  const key = { name, type: typed[0] ?? 0, publicKey: typed.slice(1) };
  const isKnown = name.isWellFormed() && types.includes(key.type) &&
    key.publicKey.length === KEY_LENGTHS[key.type];
  if (!isKnown || encodeVkey(key) !== text) {
    throw new CountersignError(
      "invalid_key",
      `Cannot read ${what}: it is not a C2SP verifier key NAME+ID+KEY of type ${
        types.map((type) => `0x0${type}`).join(" or ")
      }, or was cut or changed`,
    );
  }
  return key;
}
