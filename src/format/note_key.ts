/**
 * Keys of C2SP signed notes (c2sp.org/signed-note). A verifier key, and the signer key of the same
 * family (golang.org/x/mod/sumdb/note) that key files hold:
 *
 *     <name>+<8 hex key ID>+<base64(type || public key)>
 *     PRIVATE+KEY+<name>+<8 hex key ID>+<base64(type || 32-byte seed)>
 *
 * The key ID is SHA-256(name || 0x0A || type || public key)[:4]; in a signer key it is that of the
 * public key. The key of a `bls` witness is of the private type 0xff, which an identifier follows
 * wherever the type stands; it has a signer key and no verifier key.
 *
 * @module
 */

import { base64Of, type Bytes, bytesOfBase64, concat, utf8 } from "../bytes.ts";
import { BLS_WITNESS_NOTE_IDENTIFIER } from "../crypto/domains.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import { CountersignError } from "../errors.ts";

/** Signature types of the signed-note specification that this project uses. */
export const NOTE_TYPE = {
  /** Ed25519 over the note text: the log's own key. */
  ed25519: 0x01,
  /** Ed25519 cosignature/v1: a witness's key. */
  cosignature: 0x04,
  /** Private use: a `bls` witness's key, and the aggregate of a `bls` network. */
  private: 0xff,
} as const;

/** A named public key that can stand behind a signature line of a note. */
export interface NoteKey {
  readonly name: string;
  readonly type: number;
  /** Of the private type, and there alone: which private type it is. */
  readonly identifier?: string;
  readonly publicKey: Bytes;
}

/** The secret behind a {@linkcode NoteKey}. Never logged, never on a client route. */
export interface NoteSecret {
  readonly name: string;
  readonly type: number;
  readonly seed: Bytes;
}

const KEY_LENGTH = 32;
const SECRET_PREFIX = "PRIVATE+KEY+";

/** The four bytes that name `key` in a signature line. */
export function noteKeyId(key: NoteKey): Bytes {
  const { name, type, identifier = "", publicKey } = key;
  return portableKernels.sha256(
    concat(utf8(`${name}\n`), Uint8Array.of(type), utf8(identifier), publicKey),
  ).slice(0, 4);
}

/** The verifier key text ("vkey") of an Ed25519 key. */
export function encodeVkey(key: NoteKey): string {
  const typed = concat(Uint8Array.of(key.type), key.publicKey);
  return `${key.name}+${noteKeyId(key).toHex()}+${base64Of(typed)}`;
}

/** The Ed25519 key of a vkey of one of the two types; `invalid_key` for any other text. */
export function parseVkey(text: string): NoteKey {
  // The base64 may hold a "+" of its own: only the first two separate.
  const [, name = "", , encoded = ""] =
    /^([^+\p{White_Space}]+)\+([0-9a-f]{8})\+(.*)$/su.exec(text) ?? [];
  const typed = bytesOfBase64(encoded) ?? new Uint8Array();
  const key = { name, type: typed[0] ?? 0, publicKey: typed.slice(1) };
  const isKnown = (key.type === NOTE_TYPE.ed25519 || key.type === NOTE_TYPE.cosignature) &&
    key.publicKey.length === KEY_LENGTH;
  if (!isKnown || encodeVkey(key) !== text) {
    throw refused("verifier key", "0x01 or 0x04");
  }
  return key;
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
  ) throw refused("private key", "0x01, 0x04 or 0xff");
  return secret;
}

const SECRET_TYPES: ReadonlySet<number> = new Set(Object.values(NOTE_TYPE));

/** ASCII: characters are bytes. */
function identifierOf(type: number): string {
  return type === NOTE_TYPE.private ? BLS_WITNESS_NOTE_IDENTIFIER : "";
}

// The text is never quoted: it may be a secret.
function refused(what: string, types: string): CountersignError {
  return new CountersignError(
    "invalid_key",
    `Cannot read ${what}: a C2SP note key of type ${types} required, found another text`,
  );
}
