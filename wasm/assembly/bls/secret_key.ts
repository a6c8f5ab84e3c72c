// The secret key of an operation: read once, then wiped.

import { ORDER } from "./curve_constants";

const WORDS: usize = 4;

/** The secret scalar of the operation under way: 4 words, least significant first. */
export const SCALAR: usize = memory.data(32, 16);

/**
 * The scalar of 32 bytes, most significant first, into `SCALAR`; false outside [1, r-1]. That answer
 * is the only thing that depends on it. Wipes the bytes.
 */
export function takeSecret(bytes: usize): bool {
  let any: u64 = 0;
  let borrow: u64 = 0;
  for (let i: usize = 0; i < WORDS; i++) {
    const word = bswap<u64>(load<u64>(bytes + 8 * (WORDS - 1 - i)));
    store<u64>(SCALAR + 8 * i, word);
    any |= word;
    // The borrow of word - order - borrow, without a comparison.
    const order = load<u64>(ORDER + 8 * i);
    const difference = word - order - borrow;
    borrow = ((~word & order) | (~(word ^ order) & difference)) >> 63;
  }
  memory.fill(bytes, 0, 8 * WORDS);
  const isNonzero = (any | (0 - any)) >> 63;
  return (isNonzero & borrow) !== 0;
}

/** Wipes the scalar. */
export function wipeSecret(): void {
  memory.fill(SCALAR, 0, 8 * WORDS);
}
