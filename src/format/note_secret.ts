/**
 * Signer keys, as key files hold them (golang.org/x/mod/sumdb/note):
 *
 *     PRIVATE+KEY+<name>+<8 hex key ID>+<base64(type || 32-byte seed)>
 *
 * The key ID is that of the public key. A `bls` witness has the private type 0xff, followed by an
 * identifier.
 *
 * @module
 */

import { base64Of, type Bytes, bytesOfBase64, concat, utf8 } from "../bytes.ts";
import { BLS_WITNESS_NOTE_IDENTIFIER } from "../crypto/domains.ts";
import { CountersignError } from "../errors.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "./note_key.ts";

const KEY_LENGTH = 32;
const SECRET_PREFIX = "PRIVATE+KEY+";

/** The secret behind a {@linkcode NoteKey}. Never logged, never on a client route. */
export interface NoteSecret {
  readonly name: string;
  readonly type: number;
  readonly seed: Bytes;
}

/** The key of a `bls` witness. */
export function blsWitnessKey(name: string, publicKey: Bytes): NoteKey {
  return { name, type: NOTE_TYPE.private, identifier: BLS_WITNESS_NOTE_IDENTIFIER, publicKey };
}

/** The text of a key file. `publicKey` is that of the seed. */
export function encodeNoteSecret(secret: NoteSecret, publicKey: Bytes): string {
  const { name, type, seed } = secret;
  const identifier = identifierOf(type);
  const id = noteKeyId({ name, type, identifier, publicKey }).toHex();
  const typed = concat(Uint8Array.of(type), utf8(identifier), seed);
  const text = `${SECRET_PREFIX}${name}+${id}+${base64Of(typed)}`;
  typed.fill(0);
  return text;
}

/**
 * The secret of a key file's text. `publicKeyOf` derives the public key, against which the key ID
 * is checked, so that a damaged file is found at start and not by a verifier. `invalid_key`.
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
  // Re-encoding compares the identifier and the key ID with those of the seed.
  if (
    !SECRET_TYPES.has(type) || secret.seed.length !== KEY_LENGTH ||
    encodeNoteSecret(secret, publicKeyOf(secret.seed, type)) !== line
  ) {
    // The text is a secret, so the message does not quote it.
    throw new CountersignError(
      "invalid_key",
      "Cannot read private key: not a C2SP signer key of type 0x01, 0x04 or 0xff",
    );
  }
  return secret;
}

const SECRET_TYPES: ReadonlySet<number> = new Set(Object.values(NOTE_TYPE));

/** ASCII: characters are bytes. */
function identifierOf(type: number): string {
  return type === NOTE_TYPE.private ? BLS_WITNESS_NOTE_IDENTIFIER : "";
}
