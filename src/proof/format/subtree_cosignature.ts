/**
 * The message of an ML-DSA-44 cosignature (c2sp.org/tlog-cosignature), of a whole tree or a subtree.
 * Integers are big-endian:
 *
 *     "subtree/v1\n\0" || length u8 || cosigner's name || timestamp u64
 *     || length u8 || log's origin || start u64 || end u64 || root hash 32
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, isCount, uint64, utf8 } from "../../base/bytes.ts";
import { SUBTREE_DOMAIN } from "../crypto/domains.ts";
import { errorBuilder } from "../../base/errors.ts";

/** A subtree as a cosigner signs it. */
export interface CosignedSubtree {
  /** The cosigner's key name. */
  readonly cosigner: string;
  /** Unix seconds; 0 makes no statement about the time, and is required for a start above 0. */
  readonly timestamp: number;
  readonly origin: string;
  /** Index of the first leaf: 0 for a checkpoint. */
  readonly start: number;
  /** Index after the last leaf: the tree size for a checkpoint. */
  readonly end: number;
  readonly root: Bytes;
}

const MAX_NAME_BYTES = 255;

const malformed = errorBuilder("malformed_text", "Cannot write subtree cosignature");

/** True if `text` fits the message as a name: some origins of checkpoints are too long. */
export function fitsSubtreeMessage(text: string): boolean {
  const { length } = utf8(text);
  return length >= 1 && length <= MAX_NAME_BYTES;
}

/** The exact bytes that the cosigner signs; `malformed_text`. */
export function encodeSubtreeMessage(subtree: CosignedSubtree): Bytes {
  const { cosigner, timestamp, origin, start, end, root } = subtree;
  if (![timestamp, start, end].every(isCount)) {
    throw malformed("the time, start and end are not integers in [0, 2^53)");
  }
  // SPEC: if start is not zero, timestamp MUST be zero.
  if (start > end || (start > 0 && timestamp > 0)) {
    throw malformed("start is above end, or a time is given with a start above 0");
  }
  if (root.length !== HASH_LENGTH) throw malformed("the root hash is not 32 bytes");
  return concat(
    subtreeMessageStart(cosigner),
    uint64(timestamp),
    name(origin),
    uint64(start),
    uint64(end),
    root,
  );
}

/** The beginning of every message that `cosigner` signs; `malformed_text`. */
export function subtreeMessageStart(cosigner: string): Bytes {
  return concat(utf8(SUBTREE_DOMAIN), name(cosigner));
}

function name(text: string): Bytes {
  const bytes = utf8(text);
  if (!fitsSubtreeMessage(text)) throw malformed(`a name is not 1 to ${MAX_NAME_BYTES} bytes`);
  return concat(Uint8Array.of(bytes.length), bytes);
}
