// hash_to_curve of RFC 9380 section 3, suite BLS12381G1_XMD:SHA-256_SSWU_RO_ (section 8.8.1).

import { g1Add, g1Swap } from "./g1";
import { g1ClearCofactor } from "./g1_subgroup";
import { hashToField } from "./hash_to_field";
import { mapToG1 } from "./map_to_g1";

const elements: usize = memory.data(128, 16);
const uncleared: usize = memory.data(384, 16);
const swapped: usize = memory.data(384, 16);

/**
 * Ends the message begun by `startExpansion`: dst = map_to_curve(u0) + map_to_curve(u1) in both
 * lanes, its hash before the cofactor is cleared. Clearing is linear: it can wait until hashes are
 * summed.
 */
export function hashToUncleared(dst: usize): void {
  hashToField(elements);
  mapToG1(dst, elements);
  g1Swap(swapped, dst);
  g1Add(dst, dst, swapped);
}

/** Ends the message begun by `startExpansion`: dst = its hash, in both lanes. */
export function hashToG1(dst: usize): void {
  hashToUncleared(uncleared);
  g1ClearCofactor(dst, uncleared);
}
