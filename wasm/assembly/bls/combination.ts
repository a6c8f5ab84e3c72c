// Random linear combinations of checks: with coefficients r_i that no signer foresaw, all of
// e(s_i, generator) = e(h_i, k_i) hold when e(sum r_i s_i, generator) is the product over the keys k
// of e(sum of the r_i h_i under k, k), but for one chance in 2^128 (Bellare, Garay and Rabin, 1998,
// small exponents test; sound here, since every s_i was checked to be in the subgroup of order r).

import {
  AFFINE,
  g1Add,
  g1Copy,
  g1FromAffine,
  g1Identity,
  g1IdentityLanes,
  g1ManyToAffine,
  g1Merge,
  g1Swap,
  g1ToAffine,
  POINT,
} from "./g1";
import { DECODED_POINT, g1DecodeChecked } from "./g1_codec";
import { g1ClearCofactor } from "./g1_subgroup";
import { g1MultiScalar } from "./g1_sum";
import { AFFINE_G2 } from "./g2";
import { hashToUncleared } from "./hash_to_g1";
import { MAX_TERMS } from "./miller_loop";
import { productIsOne } from "./pairing";
import { SIGNATURE_BYTES, SLOT_LIMIT } from "./regions";
import { addHash, beginWithSignature } from "./verification";

/** Keys of one combination at most: the generator takes one term. */
export const GROUP_LIMIT: u32 = <u32>MAX_TERMS - 1;

// For each slot: the hash, its cofactor not cleared, in lane 0, and the signature in lane 1.
const pointsOf: usize = memory.data(512 * 384, 16);
const affinesOf: usize = memory.data(512 * 256, 16);

const decoded: usize = memory.data(256, 16);
const point: usize = memory.data(384, 16);
const selected: usize = memory.data(512 * 256, 16);
const sum: usize = memory.data(384, 16);
const total: usize = memory.data(384, 16);

let groups: usize = 0;
const keys: usize = memory.data(64 * 256, 16);
const hashes: usize = memory.data(64 * 384, 16);

/** Keeps one or two signatures in slots; bit i for each that is valid. */
export function keepSignatures(slot: usize, encodings: usize, count: u32): u32 {
  const second = count === 2 ? encodings + SIGNATURE_BYTES : encodings;
  const kinds = g1DecodeChecked(decoded, encodings, second);
  g1FromAffine(point, decoded);
  g1Swap(pointsOf + slot * POINT, point);
  if (count === 2) g1Copy(pointsOf + (slot + 1) * POINT, point);
  return u32((kinds & 0xff) === DECODED_POINT) | (u32(kinds >> 8 === DECODED_POINT) << 1);
}

/** Ends the message begun by `startExpansion`: stores its hash with the signature of a slot. */
export function keepHash(slot: usize): void {
  hashToUncleared(point);
  g1Merge(pointsOf + slot * POINT, point, pointsOf + slot * POINT);
}

/** Prepares the first `count` slots; false if a hash is the identity, which does not occur. */
export function finishSlots(count: u32): bool {
  return g1ManyToAffine(affinesOf, pointsOf, count);
}

/** Begins a combination. */
export function startCombination(): void {
  groups = 0;
  g1Identity(total);
}

/** Adds the slots of a list under a decoded key, with a coefficient for each. */
export function addGroup(slots: usize, coefficients: usize, count: u32, key: usize): void {
  if (groups >= GROUP_LIMIT) unreachable();
  for (let i: usize = 0; i < count; i++) {
    const slot = <usize>load<u32>(slots + 4 * i);
    if (slot >= SLOT_LIMIT) unreachable();
    memory.copy(selected + i * AFFINE, affinesOf + slot * AFFINE, AFFINE);
  }
  g1MultiScalar(sum, selected, coefficients, count);
  g1Add(total, total, sum);
  g1ClearCofactor(hashes + groups * POINT, sum);
  memory.copy(keys + groups * AFFINE_G2, key, AFFINE_G2);
  groups++;
}

/** True if the combination of all groups, at least one, holds. */
export function combinationHolds(): bool {
  if (groups === 0) unreachable();
  for (let i: usize = 0; i < groups; i++) {
    g1Merge(point, hashes + i * POINT, total);
    // All coefficients of a sum are 0, one time in 2^128.
    if (g1IdentityLanes(point) !== 0) return false;
    g1ToAffine(decoded, point);
    if (i === 0) beginWithSignature(decoded);
    addHash(decoded, keys + i * AFFINE_G2);
  }
  return productIsOne();
}
