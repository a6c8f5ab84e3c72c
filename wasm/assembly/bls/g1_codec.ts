// Compressed points of G1, 48 bytes: x, most significant byte first, under three flags in its top
// bits (draft-irtf-cfrg-pairing-friendly-curves-11, appendix C). Two at once.

import {
  pairChoose,
  pairFromWords,
  pairNeg,
  pairSqr,
  pairToWords,
} from "./field";
import { Y, g1CurveSide, g1FromAffine } from "./g1";
import { g1SubgroupLanes } from "./g1_subgroup";
import { pairRoot } from "./pair_power";
import {
  INTEGER_BYTES,
  bytesFromWords,
  isCanonical,
  pairEqualLanes,
  pairUpperLanes,
  upperHalf,
  wordsFromBytes,
} from "./words";

/** The kinds of encodings. */
export const DECODED_POINT: u32 = 0;
export const DECODED_IDENTITY: u32 = 1;
/** Flags, length of x or bits that no encoder writes. */
export const DECODED_MALFORMED: u32 = 2;
export const DECODED_OFF_CURVE: u32 = 3;
export const DECODED_OUTSIDE_SUBGROUP: u32 = 4;

const COMPRESSED: u32 = 0x80;
const IDENTITY: u32 = 0x40;
const UPPER_BIT: u32 = 5;
const UPPER: u32 = 1 << UPPER_BIT;

const FLAGS: u64 = 0xe000000000000000;
const TOP: usize = 40;

const words0: usize = memory.data(48, 16);
const words1: usize = memory.data(48, 16);
const side: usize = memory.data(128, 16);
const negated: usize = memory.data(128, 16);
const point: usize = memory.data(384, 16);

/**
 * dst = the affine points of two encodings, on the curve, perhaps outside the subgroup. Returns
 * their kinds: lane 0 in the low byte, lane 1 in the next. A lane with any other answer than
 * `DECODED_POINT` is undefined.
 */
export function g1Decode(dst: usize, bytes0: usize, bytes1: usize): u32 {
  const kind0 = readX(words0, bytes0);
  const kind1 = readX(words1, bytes1);
  pairFromWords(dst, words0, words1);
  g1CurveSide(side, dst);
  pairRoot(dst + Y, side);
  pairSqr(negated, dst + Y);
  const onCurve = pairEqualLanes(negated, side);
  const upper = u32((load<u8>(bytes0) & UPPER) !== 0) | (u32((load<u8>(bytes1) & UPPER) !== 0) << 1);
  pairNeg(negated, dst + Y);
  pairChoose(dst + Y, negated, dst + Y, pairUpperLanes(dst + Y) ^ upper);
  return onCurveOr(kind0, onCurve & 1) | (onCurveOr(kind1, onCurve >> 1) << 8);
}

/** {@link g1Decode} with the subgroup check. */
export function g1DecodeChecked(dst: usize, bytes0: usize, bytes1: usize): u32 {
  const kinds = g1Decode(dst, bytes0, bytes1);
  if ((kinds & 0xff) !== DECODED_POINT && kinds >> 8 !== DECODED_POINT) return kinds;
  g1FromAffine(point, dst);
  const inside = g1SubgroupLanes(point);
  return insideOr(kinds & 0xff, inside & 1) | (insideOr(kinds >> 8, inside >> 1) << 8);
}

/** The 48 bytes of lane `lane` of an affine point. */
export function g1Encode(bytes: usize, affine: usize, lane: u32): void {
  pairToWords(words0, affine + Y, lane);
  // No branch, so that the trace of a signature is always the same.
  const sign = upperHalf(words0) << UPPER_BIT;
  pairToWords(words0, affine, lane);
  bytesFromWords(bytes, words0);
  store<u8>(bytes, load<u8>(bytes) | COMPRESSED | sign);
}

// The words of x; those of 0 for other encodings.
function readX(words: usize, bytes: usize): u32 {
  const flags = <u32>load<u8>(bytes);
  wordsFromBytes(words, bytes);
  store<u64>(words, load<u64>(words, TOP) & ~FLAGS, TOP);
  if ((flags & COMPRESSED) !== 0) {
    if ((flags & IDENTITY) === 0 && isCanonical(words)) return DECODED_POINT;
    if ((flags & (IDENTITY | UPPER)) === IDENTITY && isZero(words)) return DECODED_IDENTITY;
  }
  memory.fill(words, 0, INTEGER_BYTES);
  return DECODED_MALFORMED;
}

function isZero(words: usize): bool {
  let any: u64 = 0;
  for (let i: usize = 0; i < INTEGER_BYTES; i += 8) any |= load<u64>(words + i);
  return any === 0;
}

function onCurveOr(kind: u32, isOn: u32): u32 {
  return kind === DECODED_POINT && isOn === 0 ? DECODED_OFF_CURVE : kind;
}

function insideOr(kind: u32, isInside: u32): u32 {
  return kind === DECODED_POINT && isInside === 0 ? DECODED_OUTSIDE_SUBGROUP : kind;
}
