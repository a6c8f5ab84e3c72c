/**
 * The digests that a round may have.
 *
 * @module
 */

import { type Bytes, equalBytes, HASH_LENGTH, isCount } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import { MAX_ROUND_SIZE } from "../proof/format/round.ts";

/** `malformed_request` unless `digests` are 1 to 512 distinct ones. */
export function checkDigests(first: number, digests: Bytes): void {
  const count = digests.length / HASH_LENGTH;
  if (!isCount(count) || count < 1 || count > MAX_ROUND_SIZE) {
    const reason = `it has ${digests.length} bytes of hashes, not 1 to ${MAX_ROUND_SIZE} hashes`;
    throw refuseRound("malformed_request", reason);
  }
  if (!isCount(first) || !isCount(first + (count - 1))) {
    throw refuseRound("malformed_request", "its sequences are not in [0, 2^53)");
  }
  if (!areDistinct(digests)) throw refuseRound("malformed_request", "it has a hash twice");
}

export function refuseRound(
  code: "network_refused" | "malformed_request",
  reason: string,
): CountersignError {
  return new CountersignError(code, `Cannot sign round: ${reason}`);
}

const WORD_LENGTH = 2;

// Clients choose the digests, so the hash is keyed: they cannot construct collisions.
const multipliers = crypto.getRandomValues(new Int32Array(HASH_LENGTH / WORD_LENGTH));

/** True when no two of packed `digests` are equal. One pass, with a table of twice as many slots. */
export function areDistinct(digests: Bytes): boolean {
  const count = digests.length / HASH_LENGTH;
  if (count < 2) return true;
  let slotBits = 1;
  while (2 ** slotBits < 2 * count) slotBits++;
  const slots = 2 ** slotBits;
  // Index of a digest plus one; 0 is an empty slot.
  const table = new Uint32Array(slots);
  const words = new DataView(digests.buffer, digests.byteOffset, digests.length);
  for (let i = 0; i < count; i++) {
    let slot = keyedSum(words, i * HASH_LENGTH) >>> (32 - slotBits);
    for (let other = table[slot]!; other !== 0; other = table[slot]!) {
      if (equalBytes(digestAt(digests, other - 1), digestAt(digests, i))) return false;
      slot = (slot + 1) % slots;
    }
    table[slot] = i + 1;
  }
  return true;
}

/**
 * The sum of the digest's 16-bit words, each multiplied by a secret 32-bit number, modulo 2^32. Its
 * highest 16 bits are a universal hash (Dietzfelbinger 1996). With 32-bit words they would not be.
 */
function keyedSum(words: DataView, offset: number): number {
  let sum = 0;
  for (let i = 0; i < multipliers.length; i++) {
    sum = (sum + Math.imul(words.getUint16(offset + i * WORD_LENGTH), multipliers[i]!)) | 0;
  }
  return sum;
}

function digestAt(digests: Bytes, index: number): Uint8Array {
  return digests.subarray(index * HASH_LENGTH, (index + 1) * HASH_LENGTH);
}
