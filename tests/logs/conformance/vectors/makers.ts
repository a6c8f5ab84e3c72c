/**
 * Keys, notes and trees of the C2SP vectors: a function of names, good and bad.
 *
 * @module
 */

import { ml_dsa44 } from "@noble/post-quantum/ml-dsa.js";
import {
  base64Of,
  type Bytes,
  bytesOfBase64,
  concat,
  hexOf,
  utf8,
} from "../../../../src/base/bytes.ts";
import { leafHash, ReferenceTree } from "../../../proof/merkle/reference.ts";
import { sha256 } from "../../../../src/proof/crypto/hashing.ts";
import {
  encodeVkey,
  NOTE_TYPE,
  type NoteKey,
  noteKeyId,
} from "../../../../src/proof/format/note_key.ts";
import { signerOf } from "../../../witness/fixture.ts";

export interface Signer {
  readonly key: NoteKey;
  readonly vkey: string;
  readonly sign: (message: Uint8Array) => Bytes;
}

function signer(key: NoteKey, sign: Signer["sign"]): Signer {
  return { key, vkey: encodeVkey(key), sign };
}

/** An Ed25519 key of `type`; `seed` is its name by default. */
export function ed25519(name: string, type: number = NOTE_TYPE.ed25519, seed = name): Signer {
  const own = signerOf(`c2sp vectors ${seed}`);
  return signer({ name, type, publicKey: own.publicKey }, (message) => own.sign(message));
}

export function cosigner(name: string, seed = name): Signer {
  return ed25519(name, NOTE_TYPE.cosignature, seed);
}

/** Each key once, and each signature: hundreds of fakes sign the same heads, 10 ms each. */
const mlDsaSigners = new Map<string, Signer>();

/** Signs deterministically, so that the vectors can be made again. */
export function mlDsa(name: string): Signer {
  return mlDsaSigners.getOrInsertComputed(name, () => {
    const { publicKey, secretKey } = ml_dsa44.keygen(sha256(utf8(`c2sp vectors ${name}`)));
    const key = { name, type: NOTE_TYPE.mlDsaCosignature, publicKey: publicKey as Bytes };
    const signatures = new Map<string, Bytes>();
    return signer(key, (message) =>
      signatures.getOrInsertComputed(
        hexOf(message),
        () => ml_dsa44.sign(message, secretKey, { extraEntropy: false }) as Bytes,
      ));
  });
}

export const TIME = 1_800_000_000;

/** A signature line with any name, key ID and payload. */
export function line(name: string, id: Uint8Array, payload: Uint8Array): string {
  return `\u2014 ${name} ${base64Of(concat(id, payload))}\n`;
}

/** The line of `by` over `text`. */
export function signed(by: Signer, text: string): string {
  return line(by.key.name, noteKeyId(by.key), by.sign(utf8(text)));
}

export function uint64(value: bigint): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

/** A cosignature line; `message` is what is signed instead of the right text. */
export function cosigned(
  by: Signer,
  text: string,
  { time = BigInt(TIME), message }: { readonly time?: bigint; readonly message?: string | Bytes } =
    {},
): string {
  const right = by.key.type === NOTE_TYPE.mlDsaCosignature
    ? treeMessage(by.key.name, text, time)
    : utf8(`cosignature/v1\ntime ${time}\n${text}`);
  const signature = by.sign(
    message === undefined ? right : typeof message === "string" ? utf8(message) : message,
  );
  return line(by.key.name, noteKeyId(by.key), concat(uint64(time), signature));
}

/** What an ML-DSA-44 cosigner signs for the checkpoint `text`, with changes: `cosigned_message`. */
export function treeMessage(
  name: string,
  text: string,
  time: bigint,
  { label = "subtree/v1\n\0", start = 0n, end }: {
    readonly label?: string;
    readonly start?: bigint;
    readonly end?: bigint;
  } = {},
): Bytes {
  const [origin = "", size = "", root = ""] = text.split("\n");
  return concat(
    utf8(label),
    Uint8Array.of(name.length),
    utf8(name),
    uint64(time),
    Uint8Array.of(origin.length),
    utf8(origin),
    uint64(start),
    uint64(end ?? BigInt(size)),
    bytesOfBase64(root)!,
  );
}

/** The signed note of `text` with `lines`. */
export function note(text: string, ...lines: readonly string[]): string {
  return `${text}\n${lines.join("")}`;
}

/** Alters the last byte of a signature line. */
export function flipped(signatureLine: string): string {
  const [dash, name, encoded] = signatureLine.trimEnd().split(" ");
  const bytes = bytesOfBase64(encoded!)!;
  bytes[bytes.length - 1]! ^= 1;
  return `${dash} ${name} ${base64Of(bytes)}\n`;
}

/** The entries of the vectors' log. */
export const entryOf = (index: number) => `Entry ${index}\n`;
const SIZE = 21;
export const tree = new ReferenceTree(
  Array.from({ length: SIZE }, (_, i) => leafHash(utf8(entryOf(i)))),
);

/** The text of the checkpoint of `size`. */
export function checkpointText(origin: string, size: number, ...extensions: string[]): string {
  return [origin, size, base64Of(tree.root(size)), ...extensions, ""].join("\n");
}
