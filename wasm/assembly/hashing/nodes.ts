// Interior nodes of RFC 9162 section 2.1.1: SHA-256(0x01 || left || right).
//
// The input is 65 bytes. Its second block is one byte of the right child, padding and a constant
// length: all that its message schedule depends on is that byte. So the 64 sums of schedule and
// round constants of that block are computed once for each of the 256 values, and a node costs one
// block with its schedule and one without.

import { compress, compressFour, compressFourRows, compressRow } from "./compress";
import { K, NODE_SUMS, SUMS_FOUR, WORDS, WORDS_FOUR } from "./layout";
import { loadBlock, loadFourBlocks, startFour, startOne, storeDigest, storeDigests } from "./words";

const NODE_BITS: u32 = 65 * 8;
const ROW: usize = 64 * 4;

// @ts-ignore: decorator
@inline
function smallSigma0(x: u32): u32 {
  return rotr<u32>(x, 7) ^ rotr<u32>(x, 18) ^ (x >>> 3);
}

// @ts-ignore: decorator
@inline
function smallSigma1(x: u32): u32 {
  return rotr<u32>(x, 17) ^ rotr<u32>(x, 19) ^ (x >>> 10);
}

/** Fills the table; FIPS 180-4 section 6.2.2 step 1. */
export function fillNodeSums(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    const row = NODE_SUMS + ROW * byte;
    store<u32>(row, (byte << 24) | 0x800000);
    store<u32>(row, NODE_BITS, 15 * 4);
    for (let at = row; at < row + 48 * 4; at += 4) {
      const word = smallSigma1(load<u32>(at, 14 * 4)) + load<u32>(at, 9 * 4) +
        smallSigma0(load<u32>(at, 4)) + load<u32>(at);
      store<u32>(at, word, 16 * 4);
    }
    for (let t: usize = 0; t < ROW; t += 4) store<u32>(row + t, load<u32>(row + t) + load<u32>(K + t));
  }
  if (ASC_FEATURE_SIMD) {
    // Words 1 to 15 are the same in every row: those from 4 on stay as here.
    for (let t: usize = 0; t < 64; t++) {
      v128.store(SUMS_FOUR + 16 * t, v128.load32_splat(NODE_SUMS + 4 * t));
    }
  }
}

/** Hashes the pairs at `from` to `count` nodes at `to`, which may be the same place. */
export function hashPairs(from: usize, to: usize, count: u32): void {
  if (ASC_FEATURE_SIMD) {
    for (; count > 1; from += 256, to += 128) {
      const lanes = min<u32>(count, 4);
      hashFourPairs(from, to, lanes);
      count -= lanes;
    }
  }
  for (; count > 0; count--, from += 64, to += 32) hashPair(from, to);
}

/** One node of the 64 bytes at `from`. */
function hashPair(from: usize, to: usize): void {
  startOne();
  // The block is 0x01 and 63 bytes: it begins one byte before its children.
  loadBlock(from - 1);
  store<u32>(WORDS, load<u32>(WORDS) & 0xffffff | 0x01000000);
  compress();
  compressRow(NODE_SUMS + ROW * load<u8>(from, 63));
  storeDigest(to);
}

/** Four nodes of the 256 bytes at `from`; the first `lanes` of them are kept. */
function hashFourPairs(from: usize, to: usize, lanes: u32): void {
  startFour();
  loadFourBlocks(from - 1, from + 63, from + 127, from + 191);
  const first = v128.load(WORDS_FOUR);
  v128.store(
    WORDS_FOUR,
    v128.or(v128.and(first, i32x4.splat(0xffffff)), i32x4.splat(0x01000000)),
  );
  compressFour();
  compressFourRows(
    NODE_SUMS + ROW * load<u8>(from, 63),
    NODE_SUMS + ROW * load<u8>(from, 127),
    NODE_SUMS + ROW * load<u8>(from, 191),
    NODE_SUMS + ROW * load<u8>(from, 255),
  );
  storeDigests(to, lanes);
}
