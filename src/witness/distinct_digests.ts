/**
 * Finds a digest that stands twice in a round.
 *
 * @module
 */

import { type Bytes, equalBytes, HASH_LENGTH } from "../bytes.ts";

const WORD_LENGTH = 2;

// Clients choose the digests: an unkeyed table could be filled with collisions.
const multipliers = crypto.getRandomValues(new Int32Array(HASH_LENGTH / WORD_LENGTH));

/** True when no two of packed `digests` are equal. One pass over a table of twice their number. */
export function areDistinct(digests: Bytes): boolean {
  const count = digests.length / HASH_LENGTH;
  let slotBits = 1;
  while (2 ** slotBits < 2 * count) slotBits++;
  const slots = 2 ** slotBits;
  // Place of a digest plus one, so that 0 says empty.
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
 * The 16-bit words of the digest at `offset`, each times a secret 32-bit multiplier, modulo 2^32. Of
 * such a sum the highest 16 bits are universal (Dietzfelbinger 1996): two digests share them as
 * rarely as chance has it, however they were chosen. With words of 32 bits they are not.
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
