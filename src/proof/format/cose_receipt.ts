/**
 * COSE Receipts (RFC 9942) of our log: proofs by RFC9162_SHA256 under a COSE_Sign1 of the log's key.
 *
 *     18([<< {1: -8, 4: key ID, 15: {1: origin}, 395: 1, "countersign/tree-size": size} >>,
 *         {396: {-1: [<< [size, index, [hash, ...]] >>]}, "countersign/entry"?: bytes},
 *         null, signature])
 *
 * A receipt of consistency has `-2: [<< [old size, size, [hash, ...]] >>]` and no entry. The signed payload
 * is the root. It is not in the receipt: a verifier computes it from the proof.
 *
 * RFC 9942 does not sign the tree size, and the same path can lead to the same root at several sizes. So
 * our protected header has the size too.
 *
 * @module
 */

import { type Bytes, equalBytes, fromHex, HASH_LENGTH, isCount, utf8 } from "../../base/bytes.ts";
import { CountersignError, errorBuilder } from "../../base/errors.ts";
import { encodeAttestation } from "./attestation.ts";
import type { ProofBundle } from "./bundle.ts";
import { type CborMap, CborTag, type CborValue, encodeCbor } from "./cbor.ts";
import { decodeCbor } from "./cbor_reader.ts";
import type { NetworkConfiguration } from "./network.ts";
import { parseVkey } from "./note_key.ts";
import {
  CWT_CLAIMS,
  headerOf,
  ISSUER,
  KEY_ID,
  protectedHeader,
  type ReceiptHeader,
  TREE_SIZE,
} from "./receipt_message.ts";
import type { SignedTreeHead } from "./tree_head.ts";

/** Whether `bytes` begin with the tag COSE_Sign1 and an array of four; a tlog-proof never does. */
export function isReceipt(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd2 && bytes[1] === 0x84;
}

const COSE_SIGN1 = 18;
const VDP = 396;
const ENTRY = "countersign/entry";
const PROOF_LABEL = { inclusion: -1, consistency: -2 } as const;
const SIGNATURE_LENGTH = 64;
const KEY_ID_LENGTH = 4;
/** An inclusion path in a tree of 2^53 leaves has 53 hashes; a consistency path has one more. */
const MAX_PATH_LENGTH = 54;

const malformed = errorBuilder("malformed_text", "Cannot read COSE receipt");

export type ReceiptProof =
  | {
    readonly kind: "inclusion";
    readonly size: number;
    readonly index: number;
    readonly path: readonly Bytes[];
  }
  | {
    readonly kind: "consistency";
    readonly first: number;
    readonly size: number;
    readonly path: readonly Bytes[];
  };

/** A parsed receipt. Nothing in it is verified. */
export interface CoseReceipt extends ReceiptHeader {
  readonly proof: ReceiptProof;
  /** The leaf's bytes. They are in the unprotected header, but the proof begins with their hash. */
  readonly entry?: Bytes;
  readonly signature: Bytes;
}

/** Whether `message` is what the key of the log `origin` signs for receipts. */
export function isReceiptMessage(origin: string, message: Uint8Array): boolean {
  try {
    const [context, header, external, root, ...more] = listOf(decodeCbor(message));
    return context === "Signature1" && bytesOf(external, 0) && bytesOf(root, HASH_LENGTH) &&
      more.length === 0 && header instanceof Uint8Array && headerIn(header).origin === origin;
  } catch (error) {
    if (error instanceof CountersignError) return false;
    throw error;
  }
}

export function encodeCoseReceipt(receipt: CoseReceipt): Bytes {
  const { proof, entry, signature } = receipt;
  const { kind, size, path } = proof;
  const places = kind === "inclusion" ? [size, proof.index] : [proof.first, size];
  const proofs = new Map([[PROOF_LABEL[kind], [encodeCbor([...places, path])]]]);
  const unprotected = new Map<number | string, CborValue>([[VDP, proofs]]);
  if (entry !== undefined) unprotected.set(ENTRY, entry);
  return encodeCbor(
    new CborTag(COSE_SIGN1, [protectedHeader(receipt), unprotected, null, signature]),
  );
}

/** Parses a receipt as `encodeCoseReceipt()` writes it; `malformed_text` for any other COSE receipt. */
export function parseCoseReceipt(bytes: Uint8Array): CoseReceipt {
  const tagged = decodeCbor(bytes);
  const isSign1 = tagged instanceof CborTag && tagged.tag === COSE_SIGN1;
  const [header, unprotected, payload, signature, ...more] = listOf(isSign1 ? tagged.value : null);
  if (payload !== null || more.length > 0) {
    throw malformed("it is not a COSE_Sign1 with a detached payload");
  }
  if (!bytesOf(signature, SIGNATURE_LENGTH)) throw malformed("the signature is not 64 bytes");
  if (!(header instanceof Uint8Array)) throw malformed("the protected header is not bytes");
  const rest = new Map(mapOf(unprotected));
  const proofs = rest.get(VDP);
  const entry = rest.get(ENTRY);
  rest.delete(VDP);
  rest.delete(ENTRY);
  if (rest.size > 0 || (entry !== undefined && !(entry instanceof Uint8Array))) {
    throw malformed("the unprotected header has other members than a proof and an entry");
  }
  return {
    ...headerIn(header),
    proof: proofOf(mapOf(proofs)),
    ...(entry !== undefined && { entry }),
    signature,
  };
}

/**
 * The receipt that the attestation of `bundle` is in the log. The caller has verified `bundle`. `network` is
 * the configuration of the epoch of its tree head.
 *
 * @throws `proof_refused` if the bundle has no batch yet, `malformed_text` if `network` has no log key or
 * the tree head has no receipt signature.
 */
export function coseReceiptOf(network: NetworkConfiguration, bundle: ProofBundle): Bytes {
  const { signed_attestation: { attestation }, batch_inclusion: inclusion } = bundle;
  if (inclusion === null) {
    throw new CountersignError("proof_refused", "Cannot write COSE receipt: not in a batch yet");
  }
  const { merkle_proof: { inclusion_path: path }, sth } = inclusion;
  return encodeCoseReceipt({
    ...signedHead(network, sth),
    proof: {
      kind: "inclusion",
      size: sth.tree_head.tree_size,
      index: attestation.sequence,
      path: path.map((hash) => fromHex(hash)),
    },
    entry: utf8(encodeAttestation(attestation)),
  });
}

/** The receipt that the tree of `first` leaves is a prefix of that of `sth`; `malformed_text` as above. */
export function consistencyReceiptOf(
  network: NetworkConfiguration,
  { first, sth, path }: {
    readonly first: number;
    readonly sth: SignedTreeHead;
    readonly path: readonly string[];
  },
): Bytes {
  const size = sth.tree_head.tree_size;
  return encodeCoseReceipt({
    ...signedHead(network, sth),
    proof: { kind: "consistency", first, size, path: path.map((hash) => fromHex(hash)) },
  });
}

function signedHead({ log_vkey: vkey }: NetworkConfiguration, sth: SignedTreeHead) {
  if (vkey === undefined) throw incomplete("the configuration has no log key");
  if (sth.receipt_signature === undefined) {
    throw incomplete(
      "the tree head has no receipt signature (/v1/bundle has it with log_signature=true)",
    );
  }
  const signature = fromHex(sth.receipt_signature);
  return { ...headerOf(parseVkey(vkey), sth.tree_head.tree_size), signature };
}

const incomplete = errorBuilder("malformed_text", "Cannot write COSE receipt");

function headerIn(header: Bytes): ReceiptHeader {
  const members = mapOf(decodeCbor(header));
  const keyId = members.get(KEY_ID);
  const origin = mapOf(members.get(CWT_CLAIMS)).get(ISSUER);
  const treeSize = members.get(TREE_SIZE);
  if (!bytesOf(keyId, KEY_ID_LENGTH) || typeof origin !== "string" || !isCount(treeSize)) {
    throw malformed("the protected header lacks a key ID, an issuer or a tree size");
  }
  const parts = { origin, keyId, treeSize };
  if (equalBytes(protectedHeader(parts), header)) return parts;
  throw malformed("the protected header is not that of a receipt by EdDSA and RFC9162_SHA256");
}

function proofOf(proofs: CborMap): ReceiptProof {
  const [[label, values] = []] = proofs;
  const [value, ...others] = listOf(values);
  if (proofs.size !== 1 || others.length > 0 || !(value instanceof Uint8Array)) {
    throw malformed("it does not have exactly one proof");
  }
  const [a, b, hashes, ...more] = listOf(decodeCbor(value));
  const path = listOf(hashes);
  if (!isCount(a) || !isCount(b) || more.length > 0) {
    throw malformed("a proof begins with two sizes");
  }
  if (path.length > MAX_PATH_LENGTH || !path.every((hash) => bytesOf(hash, HASH_LENGTH))) {
    throw malformed(`the path is not at most ${MAX_PATH_LENGTH} hashes of 32 bytes`);
  }
  const found = path as Bytes[];
  if (label === PROOF_LABEL.inclusion) return { kind: "inclusion", size: a, index: b, path: found };
  if (label === PROOF_LABEL.consistency) {
    return { kind: "consistency", first: a, size: b, path: found };
  }
  throw malformed("its proof is of another kind than inclusion and consistency");
}

function bytesOf(value: CborValue | undefined, length: number): value is Bytes {
  return value instanceof Uint8Array && value.length === length;
}

function listOf(value: CborValue | undefined): readonly CborValue[] {
  if (Array.isArray(value)) return value;
  throw malformed("an array is missing");
}

function mapOf(value: CborValue | undefined): CborMap {
  if (value instanceof Map) return value as CborMap;
  throw malformed("a map is missing");
}
