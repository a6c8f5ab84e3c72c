/**
 * What the log's key signs for COSE receipts (`cose_receipt.ts`).
 *
 * @module
 */

import { type Bytes, fromHex } from "../../base/bytes.ts";
import { type CborValue, encodeCbor } from "./cbor.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "./note_key.ts";
import type { CheckpointBody } from "./tree_head.ts";

/** The parts of the protected header that differ between heads. */
export interface ReceiptHeader {
  /** Name and ID of the log's key. */
  readonly origin: string;
  readonly keyId: Bytes;
  readonly treeSize: number;
}

/** Labels of the protected header. */
export const [ALGORITHM, KEY_ID, CWT_CLAIMS, VDS] = [1, 4, 15, 395] as const;
export const ISSUER = 1;
export const TREE_SIZE = "countersign/tree-size";
const EDDSA = -8;
const RFC9162_SHA256 = 1;

/**
 * The bytes that the log's key signs for `head`, a Sig_structure (RFC 9052 section 4.4). They begin with
 * 0x84, as no UTF-8 text does, so they are no checkpoint and no succession.
 */
export function receiptMessage(parts: ReceiptHeader, root: Bytes): Bytes {
  return encodeCbor(["Signature1", protectedHeader(parts), new Uint8Array(), root]);
}

/** {@linkcode receiptMessage} of `head`, for the log's key. */
export function headReceiptMessage(publicKey: Bytes, head: CheckpointBody): Bytes {
  const key = { name: head.network_id, type: NOTE_TYPE.ed25519, publicKey };
  return receiptMessage(headerOf(key, head.tree_size), fromHex(head.root_hash));
}

export function headerOf(key: NoteKey, treeSize: number): ReceiptHeader {
  return { origin: key.name, keyId: noteKeyId(key), treeSize };
}

export function protectedHeader({ origin, keyId, treeSize }: ReceiptHeader): Bytes {
  return encodeCbor(
    new Map<number | string, CborValue>([
      [ALGORITHM, EDDSA],
      [KEY_ID, keyId],
      [CWT_CLAIMS, new Map([[ISSUER, origin]])],
      [VDS, RFC9162_SHA256],
      [TREE_SIZE, treeSize],
    ]),
  );
}
