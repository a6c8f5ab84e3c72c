// Bytes to words and back. A message is big-endian (FIPS 180-4 section 3.1), memory little-endian.

import { INITIAL, MIDSTATE_FOUR, STATE, STATE_FOUR, WORDS, WORDS_FOUR } from "./layout";

/** The initial hash value for one message. */
export function startOne(): void {
  for (let i: usize = 0; i < 32; i += 8) store<u64>(STATE + i, load<u64>(INITIAL + i));
}

/** The initial hash value in four lanes. */
export function startFour(): void {
  for (let i: usize = 0; i < 8; i++) {
    v128.store(STATE_FOUR + 16 * i, v128.load32_splat(INITIAL + 4 * i));
  }
}

/** Keeps the state of four lanes, or takes the kept one up again. */
export function keepFour(): void {
  for (let i: usize = 0; i < 128; i += 16) v128.store(MIDSTATE_FOUR + i, v128.load(STATE_FOUR + i));
}

export function resumeFour(): void {
  for (let i: usize = 0; i < 128; i += 16) v128.store(STATE_FOUR + i, v128.load(MIDSTATE_FOUR + i));
}

/** The words of the block at `from`. */
export function loadBlock(from: usize): void {
  if (ASC_FEATURE_SIMD) {
    v128.store(WORDS, swapped(v128.load(from)));
    v128.store(WORDS, swapped(v128.load(from, 16)), 16);
    v128.store(WORDS, swapped(v128.load(from, 32)), 32);
    v128.store(WORDS, swapped(v128.load(from, 48)), 48);
  } else {
    for (let i: usize = 0; i < 64; i += 4) store<u32>(WORDS + i, bswap<u32>(load<u32>(from + i)));
  }
}

/** The digest of one message, to `to`. */
export function storeDigest(to: usize): void {
  for (let i: usize = 0; i < 32; i += 4) store<u32>(to + i, bswap<u32>(load<u32>(STATE + i)));
}

/** The words of four blocks, one per lane. */
export function loadFourBlocks(p0: usize, p1: usize, p2: usize, p3: usize): void {
  loadFour(p0, p1, p2, p3, WORDS_FOUR);
  loadFour(p0 + 16, p1 + 16, p2 + 16, p3 + 16, WORDS_FOUR + 64);
  loadFour(p0 + 32, p1 + 32, p2 + 32, p3 + 32, WORDS_FOUR + 128);
  loadFour(p0 + 48, p1 + 48, p2 + 48, p3 + 48, WORDS_FOUR + 192);
}

// @ts-ignore: decorator
@inline
function loadFour(p0: usize, p1: usize, p2: usize, p3: usize, to: usize): void {
  storeTransposed(
    swapped(v128.load(p0)),
    swapped(v128.load(p1)),
    swapped(v128.load(p2)),
    swapped(v128.load(p3)),
    to,
  );
}

/** The digests of the first `count` lanes, packed at `to`. */
export function storeDigests(to: usize, count: u32): void {
  transposeState(STATE_FOUR);
  transposeState(STATE_FOUR + 64);
  for (let lane: u32 = 0; lane < count; lane++) {
    v128.store(to + 32 * lane, swapped(v128.load(STATE_FOUR + 16 * lane)));
    v128.store(to + 32 * lane, swapped(v128.load(STATE_FOUR + 16 * lane, 64)), 16);
  }
}

// @ts-ignore: decorator
@inline
function transposeState(at: usize): void {
  storeTransposed(v128.load(at), v128.load(at, 16), v128.load(at, 32), v128.load(at, 48), at);
}

/** Four rows of four words to four columns, at `to`. */
// @ts-ignore: decorator
@inline
export function storeTransposed(r0: v128, r1: v128, r2: v128, r3: v128, to: usize): void {
  const low01 = i32x4.shuffle(r0, r1, 0, 4, 1, 5);
  const low23 = i32x4.shuffle(r2, r3, 0, 4, 1, 5);
  const high01 = i32x4.shuffle(r0, r1, 2, 6, 3, 7);
  const high23 = i32x4.shuffle(r2, r3, 2, 6, 3, 7);
  v128.store(to, i64x2.shuffle(low01, low23, 0, 2));
  v128.store(to, i64x2.shuffle(low01, low23, 1, 3), 16);
  v128.store(to, i64x2.shuffle(high01, high23, 0, 2), 32);
  v128.store(to, i64x2.shuffle(high01, high23, 1, 3), 48);
}

/** The bytes of each word turned round. A swizzle is one instruction here; a shuffle was six. */
// @ts-ignore: decorator
@inline
function swapped(row: v128): v128 {
  return v128.swizzle(row, i8x16(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
}
