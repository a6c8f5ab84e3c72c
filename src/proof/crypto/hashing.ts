/**
 * SHA-256 of messages, and of the leaves and nodes of a Merkle tree, for verifiers.
 *
 * @module
 */

import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { type Bytes, concat } from "../../base/bytes.ts";

const LEAF_PREFIX = Uint8Array.of(0x00);
const NODE_PREFIX = Uint8Array.of(0x01);

/** Hashing for Merkle proofs. Every result is a fresh array of 32 bytes. */
export interface Hashing {
  /** SHA-256 of `message` (FIPS 180-4). */
  sha256(message: Uint8Array): Bytes;

  /** RFC 9162 section 2.1.1 interior node, SHA-256(0x01 || left || right). */
  nodeHash(left: Uint8Array, right: Uint8Array): Bytes;
}

/** SHA-256 of `message`, in plain JavaScript. */
export function sha256(message: Uint8Array): Bytes {
  return nobleSha256(message) as Bytes;
}

/** {@linkcode Hashing} in plain JavaScript. */
export const portableHashing: Hashing = {
  sha256,
  nodeHash: (left, right) => sha256(concat(NODE_PREFIX, left, right)),
};

/** RFC 9162 section 2.1.1 leaf, SHA-256(0x00 || text). */
export function leafHash(hashing: Hashing, text: Uint8Array): Bytes {
  return hashing.sha256(concat(LEAF_PREFIX, text));
}
