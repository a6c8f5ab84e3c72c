/**
 * Keys of C2SP signed notes (c2sp.org/signed-note). A verifier key, and the signer key of the same
 * family (golang.org/x/mod/sumdb/note) that key files hold:
 *
 *     <name>+<8 hex key ID>+<base64(type || public key)>
 *     PRIVATE+KEY+<name>+<8 hex key ID>+<base64(type || 32-byte seed)>
 *
 * The key ID is SHA-256(name || 0x0A || type || public key)[:4]; in a signer key it is that of the
 * public key.
 *
 * @module
 */

import { base64Of, type Bytes, bytesOfBase64, concat, equalBytes, utf8 } from "../bytes.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import { CountersignError } from "../errors.ts";

/** Signature types of the signed-note specification that this project uses. */
export const NOTE_TYPE = {
  /** Ed25519 over the note text: the log's own key. */
  ed25519: 0x01,
  /** Ed25519 cosignature/v1: a witness's key. */
  cosignature: 0x04,
  /** Private use: the aggregate of a `bls` network. */
  private: 0xff,
} as const;

/** A named public key that can stand behind a signature line of a note. */
export interface NoteKey {
  readonly name: string;
  readonly type: number;
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
  const { name, type, publicKey } = key;
  return portableKernels.sha256(concat(utf8(`${name}\n`), Uint8Array.of(type), publicKey))
    .slice(0, 4);
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
  if (!isKnown(key.type, key.publicKey) || encodeVkey(key) !== text) {
    throw refused("verifier key");
  }
  return key;
}

/** The text of a key file. `publicKey` is that of the seed. */
export function encodeNoteSecret(secret: NoteSecret, publicKey: Bytes): string {
  const id = noteKeyId({ name: secret.name, type: secret.type, publicKey }).toHex();
  const typed = concat(Uint8Array.of(secret.type), secret.seed);
  return `${SECRET_PREFIX}${secret.name}+${id}+${base64Of(typed)}`;
}

/**
 * The secret of a key file's text. `publicKeyOf` derives the public key, against which the key ID
 * is checked, so that a damaged file is found at start and not by a verifier. `invalid_key`.
 */
export function parseNoteSecret(text: string, publicKeyOf: (seed: Bytes) => Bytes): NoteSecret {
  const line = text.endsWith("\n") ? text.slice(0, -1) : text;
  const [, name = "", , encoded = ""] =
    /^PRIVATE\+KEY\+([^+\p{White_Space}]+)\+([0-9a-f]{8})\+(.*)$/su.exec(line) ?? [];
  const typed = bytesOfBase64(encoded) ?? new Uint8Array();
  const secret = { name, type: typed[0] ?? 0, seed: typed.slice(1) };
  if (
    !isKnown(secret.type, secret.seed) ||
    !equalBytes(utf8(encodeNoteSecret(secret, publicKeyOf(secret.seed))), utf8(line))
  ) throw refused("private key");
  return secret;
}

function isKnown(type: number, key: Bytes): boolean {
  return (type === NOTE_TYPE.ed25519 || type === NOTE_TYPE.cosignature) &&
    key.length === KEY_LENGTH;
}

// The text is never quoted: it may be a secret.
function refused(what: string): CountersignError {
  return new CountersignError(
    "invalid_key",
    `Cannot read ${what}: a C2SP note key of type 0x01 or 0x04 required, found another text`,
  );
}
