// Leaf hashes of RFC 9162 section 2.1.1, SHA-256(0x00 || entry), of entries laid back to back.

import { compressFour } from "./compress";
import { ENDS, INPUT, LANES, LANE_BYTES, NODES, STATE, STATE_FOUR, WORDS_FOUR } from "./layout";
import { append, appendByte, finish, start } from "./message";
import { loadFourBlocks, startFour, storeDigest, storeDigests } from "./words";

/** Blocks of the padded message of a leaf of `length` bytes: prefix, one bit, and length in bits. */
// @ts-ignore: decorator
@inline
function blocksOf(length: u32): u32 {
  return (length + 1 + 9 + 63) >>> 6;
}

// @ts-ignore: decorator
@inline
function startOf(leaf: u32): u32 {
  return leaf === 0 ? 0 : load<u32>(ENDS + 4 * (leaf - 1));
}

/** Hashes `count` leaves of the input to packed nodes. */
export function hashLeaves(count: u32): void {
  let leaf: u32 = 0;
  if (ASC_FEATURE_SIMD) {
    for (; count - leaf >= 4; leaf += 4) {
      if (!hashFourLeaves(leaf)) for (let lane: u32 = 0; lane < 4; lane++) hashLeaf(leaf + lane);
    }
  }
  for (; leaf < count; leaf++) hashLeaf(leaf);
}

function hashLeaf(leaf: u32): void {
  const from = startOf(leaf);
  start();
  appendByte(0);
  append(INPUT + from, load<u32>(ENDS + 4 * leaf) - from);
  finish(NODES + 32 * leaf);
}

/** Four leaves side by side; false, and nothing done, where their lengths differ too much for it. */
function hashFourLeaves(leaf: u32): bool {
  const s0 = startOf(leaf);
  const s1 = load<u32>(ENDS + 4 * leaf);
  const s2 = load<u32>(ENDS + 4 * leaf, 4);
  const s3 = load<u32>(ENDS + 4 * leaf, 8);
  const end = load<u32>(ENDS + 4 * leaf, 12);
  const b0 = blocksOf(s1 - s0);
  const b1 = blocksOf(s2 - s1);
  const b2 = blocksOf(s3 - s2);
  const b3 = blocksOf(end - s3);
  const most = max(max(b0, b1), max(b2, b3));
  // A block of four lanes costs less than two of one: beyond that one by one is faster.
  if (most + most > b0 + b1 + b2 + b3) return false;
  padTail(0, s0, s1 - s0);
  padTail(1, s1, s2 - s1);
  padTail(2, s2, s3 - s2);
  padTail(3, s3, end - s3);
  const to = NODES + 32 * leaf;
  startFour();
  for (let block: u32 = 0; block < most; block++) {
    loadFourBlocks(
      blockAt(0, s0, s1 - s0, block),
      blockAt(1, s1, s2 - s1, block),
      blockAt(2, s2, s3 - s2, block),
      blockAt(3, s3, end - s3, block),
    );
    if (block === 0) {
      // The prefix 0x00, where the byte before the entry was loaded.
      v128.store(WORDS_FOUR, v128.and(v128.load(WORDS_FOUR), i32x4.splat(0xffffff)));
    }
    compressFour();
    // A shorter message is done before the others: its state is taken while it stands.
    const done = block + 1;
    if (done === most) break;
    if (done === b0) storeLane(0, to);
    if (done === b1) storeLane(1, to + 32);
    if (done === b2) storeLane(2, to + 64);
    if (done === b3) storeLane(3, to + 96);
  }
  if (b0 === most && b1 === most && b2 === most && b3 === most) {
    storeDigests(to, 4);
    return true;
  }
  if (b0 === most) storeLane(0, to);
  if (b1 === most) storeLane(1, to + 32);
  if (b2 === most) storeLane(2, to + 64);
  if (b3 === most) storeLane(3, to + 96);
  return true;
}

/** The digest of one lane, to `to`. */
function storeLane(lane: u32, to: usize): void {
  for (let t: usize = 0; t < 8; t++) {
    store<u32>(STATE + 4 * t, load<u32>(STATE_FOUR + 16 * t + 4 * lane));
  }
  storeDigest(to);
}

/** Where block `block` of a lane is: in the input while that is whole, then in the lane's tail. */
// @ts-ignore: decorator
@inline
function blockAt(lane: u32, from: u32, length: u32, block: u32): usize {
  const whole = (length + 1) >>> 6;
  // After its end a lane hashes arbitrary data, whose result is not used.
  return block < whole
    ? INPUT + from - 1 + 64 * block
    : LANES + LANE_BYTES * lane + 64 * min<u32>(block - whole, 1);
}

/** The last one or two blocks of a leaf, padded (FIPS 180-4 section 5.1.1), to its lane. */
function padTail(lane: u32, from: u32, length: u32): void {
  const tail = LANES + LANE_BYTES * lane;
  const whole = (length + 1) & ~63;
  const rest: usize = length + 1 - whole;
  const source = INPUT + from - 1 + whole;
  for (let i: usize = 0; i < 128; i += 16) v128.store(tail + i, i32x4.splat(0));
  // In whole vectors; the excess bytes are cleared below.
  for (let i: usize = 0; i < rest; i += 16) v128.store(tail + i, v128.load(source + i));
  v128.store(tail + rest, i32x4.splat(0));
  store<u8>(tail + rest, 0x80);
  const blocks: usize = rest > 55 ? 128 : 64;
  store<u64>(tail + blocks - 8, bswap<u64>(<u64>(length + 1) << 3));
}
