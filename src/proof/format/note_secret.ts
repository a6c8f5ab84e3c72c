/**
 * Signer keys, as stored in key files (golang.org/x/mod/sumdb/note):
 *
 *     PRIVATE+KEY+<name>+<8 hex key ID>+<base64(type || 32-byte seed)>
 *
 * The key ID is that of the public key. A `bls` witness has the private type 0xff, followed by an
 * identifier. The seed of type 0x06 is that of FIPS 204.
 *
 * @module
 */

import { base64Of, type Bytes, bytesOfBase64, concat, hexOf, utf8 } from "../../base/bytes.ts";
import { BLS_WITNESS_NOTE_IDENTIFIER } from "../crypto/domains.ts";
import { CountersignError } from "../../base/errors.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "./note_key.ts";

const KEY_LENGTH = 32;
const SECRET_PREFIX = "PRIVATE+KEY+";
const SIGNER_TYPES: readonly number[] = [
  NOTE_TYPE.ed25519,
  NOTE_TYPE.cosignature,
  NOTE_TYPE.mlDsaCosignature,
  NOTE_TYPE.private,
];

/** The private key of a {@linkcode NoteKey}. Never logged or sent. */
export interface NoteSecret {
  readonly name: string;
  readonly type: number;
  readonly seed: Bytes;
}

/** The key of a `bls` witness. */
export function blsWitnessKey(name: string, publicKey: Bytes): NoteKey {
  return { name, type: NOTE_TYPE.private, identifier: BLS_WITNESS_NOTE_IDENTIFIER, publicKey };
}

/** The text of a key file. `publicKey` belongs to the seed. */
export function encodeNoteSecret(secret: NoteSecret, publicKey: Bytes): string {
  const { name, type, seed } = secret;
  const identifier = identifierOf(type);
  const id = hexOf(noteKeyId({ name, type, identifier, publicKey }));
  const typed = concat(Uint8Array.of(type), utf8(identifier), seed);
  const text = `${SECRET_PREFIX}${name}+${id}+${base64Of(typed)}`;
  typed.fill(0);
  return text;
}

/**
 * Parses a key file with a key of type 0x01, 0x04, 0x06 or 0xff; `invalid_key`. The key ID is checked against
 * the derived public key, so that a damaged file is noticed at start.
 */
export function parseNoteSecret(
  text: string,
  publicKeyOf: (seed: Bytes, type: number) => Bytes,
): NoteSecret {
  const line = text.endsWith("\n") ? text.slice(0, -1) : text;
  const [, name = "", , encoded = ""] =
    /^PRIVATE\+KEY\+([^+\p{White_Space}]+)\+([0-9a-f]{8})\+(.*)$/su.exec(line) ?? [];
  const typed = bytesOfBase64(encoded) ?? new Uint8Array();
  const type = typed[0] ?? 0;
  const secret = { name, type, seed: typed.slice(1 + identifierOf(type).length) };
  typed.fill(0);
  // Re-encoding checks the identifier and the key ID.
  if (
    !SIGNER_TYPES.includes(type) || secret.seed.length !== KEY_LENGTH ||
    encodeNoteSecret(secret, publicKeyOf(secret.seed, type)) !== line
  ) {
    // Never quote the text: it is a secret.
    throw new CountersignError(
      "invalid_key",
      "Cannot read private key: it is not one line PRIVATE+KEY+NAME+ID+KEY as keygen writes it, or was cut or changed",
    );
  }
  return secret;
}

function identifierOf(type: number): string {
  return type === NOTE_TYPE.private ? BLS_WITNESS_NOTE_IDENTIFIER : "";
}
