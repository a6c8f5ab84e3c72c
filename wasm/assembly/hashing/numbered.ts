// Leaf hashes of texts that differ in a digest and a number only, which are written here:
//
//     0x00 || before || hex(digest i) || between || decimal(first + i) || after
//
// Four texts stand in four lanes, padded, and the next four in a second set. From one group of a set
// to its next only the digits of the digest change, and the last ones of the number. A group is
// written while the one before it is hashed: a vector that is loaded right after parts of it were
// stored waits until those have left the processor's store buffer.

import { compress, compressFour } from "./compress";
import { AFTER, BEFORE, BETWEEN, INPUT, LANES, LANE_BYTES, NODES, SET_BYTES } from "./layout";
import { keepFour, loadBlock, loadFourBlocks, resumeFour, startFour, startOne, storeDigest, storeDigests } from "./words";

/** Where the parts of a text begin in its lane, and how many blocks it has. */
let hexAt: u32 = 0;
let decimalAt: u32 = 0;
let digits: u32 = 0;
let blocks: u32 = 0;

/** Hashes `count` texts whose digests are packed in the input to packed nodes. */
export function hashNumbered(count: u32, first: u64, before: u32, between: u32, after: u32): void {
  hexAt = before + 1;
  decimalAt = hexAt + 64 + between;
  for (let leaf: u32 = 0; leaf < count;) {
    // In one group all numbers have as many digits, so that all texts have as many blocks.
    const limit = setDigits(first + leaf);
    const room = <u32>min<u64>(limit - first - leaf, count - leaf);
    const whole = ASC_FEATURE_SIMD ? groupsOf(room, room === count - leaf) : 0;
    if (whole > 0) {
      for (let lane: u32 = 0; lane < 8; lane++) {
        writeText(LANES + LANE_BYTES * lane, first + leaf + lane, before, between, after);
      }
      hashGroups(leaf, whole, count);
      leaf = min<u32>(leaf + (whole << 2), count);
    } else {
      writeText(LANES, first + leaf, before, between, after);
      writeHex(INPUT + 32 * leaf, LANES + hexAt);
      hashText(NODES + 32 * leaf);
      leaf++;
    }
  }
}

/**
 * The number of groups of four in `room` texts. At the end, two or three texts also make a group,
 * whose other lanes are not used.
 */
// @ts-ignore: decorator
@inline
function groupsOf(room: u32, isEnd: bool): u32 {
  return (room + (isEnd ? 2 : 0)) >>> 2;
}

/** Sets how many digits `number` has; the first number that has more. */
function setDigits(number: u64): u64 {
  let limit: u64 = 10;
  digits = 1;
  while (number >= limit) {
    limit *= 10;
    digits++;
  }
  return limit;
}

/** One whole message of SHA-256, all but the digits of its digest. */
function writeText(to: usize, number: u64, before: u32, between: u32, after: u32): void {
  const length = decimalAt + digits + after;
  blocks = (length + 9 + 63) >>> 6;
  for (let i: usize = 0; i < LANE_BYTES; i += 8) store<u64>(to + i, 0);
  copyBytes(BEFORE, to + 1, before);
  copyBytes(BETWEEN, to + hexAt + 64, between);
  for (let at = to + decimalAt + digits - 1; at >= to + decimalAt; at--) {
    store<u8>(at, 0x30 + <u32>(number % 10));
    number /= 10;
  }
  copyBytes(AFTER, to + decimalAt + digits, after);
  store<u8>(to + length, 0x80);
  store<u64>(to + 64 * blocks - 8, bswap<u64>(<u64>length << 3));
}

function copyBytes(from: usize, to: usize, length: u32): void {
  for (let i: usize = 0; i < <usize>length; i++) store<u8>(to + i, load<u8>(from + i));
}

/** Hashes `groups` groups of four. The texts of the first two are written but for the digests. */
function hashGroups(leaf: u32, groups: u32, count: u32): void {
  let set = LANES;
  let other = LANES + SET_BYTES;
  // The domain and a long name fill the first block of every text: it is hashed once.
  const shared: u32 = hexAt >= 64 ? 1 : 0;
  startFour();
  if (shared === 1) hashFourBlocks(set, 0, 1);
  keepFour();
  writeDigests(leaf, set);
  for (let group: u32 = 0; group < groups; group++, leaf += 4) {
    if (group + 1 < groups) {
      if (group > 0) addEight(other);
      writeDigests(leaf + 4, other);
    }
    resumeFour();
    hashFourBlocks(set, shared, blocks);
    storeDigests(NODES + 32 * leaf, min<u32>(4, count - leaf));
    const hashed = set;
    set = other;
    other = hashed;
  }
}

function writeDigests(leaf: u32, set: usize): void {
  for (let lane: u32 = 0; lane < 4; lane++) {
    writeHex(INPUT + 32 * (leaf + lane), set + LANE_BYTES * lane + hexAt);
  }
}

function hashFourBlocks(set: usize, from: u32, to: u32): void {
  for (let at = set + 64 * from; at < set + 64 * to; at += 64) {
    loadFourBlocks(at, at + LANE_BYTES, at + 2 * LANE_BYTES, at + 3 * LANE_BYTES);
    compressFour();
  }
}

/** The text of the first lane alone. */
function hashText(to: usize): void {
  startOne();
  for (let at = LANES; at < LANES + 64 * blocks; at += 64) {
    loadBlock(at);
    compress();
  }
  storeDigest(to);
}

/**
 * Adds eight to the numbers of a set, in decimal. Only unused numbers beyond the last text gain a
 * digit; the zero byte before a text ends their carry.
 */
function addEight(set: usize): void {
  for (let lane = set; lane < set + SET_BYTES; lane += LANE_BYTES) {
    let at = lane + decimalAt + digits - 1;
    let digit: u32 = <u32>load<u8>(at) + 8;
    while (digit > 0x39) {
      store<u8>(at--, digit - 10);
      digit = <u32>load<u8>(at) + 1;
    }
    store<u8>(at, digit);
  }
}

/** Lowercase hex of the 32 bytes at `from`. */
function writeHex(from: usize, to: usize): void {
  if (ASC_FEATURE_SIMD) {
    writeHexHalf(v128.load(from), to);
    writeHexHalf(v128.load(from, 16), to + 32);
  } else {
    for (let i: usize = 0; i < 32; i++) {
      const byte: u32 = load<u8>(from + i);
      store<u8>(to + 2 * i, hexDigit(byte >>> 4));
      store<u8>(to + 2 * i, hexDigit(byte & 15), 1);
    }
  }
}

// @ts-ignore: decorator
@inline
function hexDigit(value: u32): u32 {
  return value + (value < 10 ? 0x30 : 0x57);
}

// @ts-ignore: decorator
@inline
function writeHexHalf(bytes: v128, to: usize): void {
  const alphabet = i8x16(
    0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66,
  );
  const mask = i8x16.splat(15);
  const high = v128.swizzle(alphabet, v128.and(i16x8.shr_u(bytes, 4), mask));
  const low = v128.swizzle(alphabet, v128.and(bytes, mask));
  v128.store(to, i8x16.shuffle(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  v128.store(
    to,
    i8x16.shuffle(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31),
    16,
  );
}
