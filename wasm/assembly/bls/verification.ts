// CoreVerify: e(signature, generator) = e(hash, key), as e(-signature, generator) e(hash, key) = 1.

import { PAIR, pairNeg, pairSplat0, pairSplat1 } from "./field";
import { g1FromAffine, g1IdentityLanes, g1Merge, g1ToAffine } from "./g1";
import { DECODED_POINT, g1Decode } from "./g1_codec";
import { g1ClearAndCheck } from "./g1_subgroup";
import { hashToUncleared } from "./hash_to_g1";
import { addTerm, beginProduct } from "./miller_loop";
import { productIsOne } from "./pairing";

const hash: usize = memory.data(384, 16);
const signature: usize = memory.data(384, 16);
const points: usize = memory.data(384, 16);
const affine: usize = memory.data(256, 16);
const x: usize = memory.data(128, 16);
const y: usize = memory.data(128, 16);

/** Begins a product with the signature's factor: lane 1 of the affine points. */
export function beginWithSignature(affines: usize): void {
  pairSplat1(x, affines);
  pairSplat1(y, affines + PAIR);
  pairNeg(y, y);
  beginProduct(x, y);
}

/** Adds the factor of a hash, lane 0 of the affine points, under a decoded key. */
export function addHash(affines: usize, key: usize): void {
  pairSplat0(x, affines);
  pairSplat0(y, affines + PAIR);
  addTerm(x, y, key);
}

/**
 * Ends the message begun by `startExpansion`: whether a compressed signature over it verifies under a
 * decoded key. The signature's subgroup check shares its steps with the clearing of the hash's
 * cofactor, one lane each.
 */
export function verifies(encoding: usize, key: usize): bool {
  hashToUncleared(hash);
  if ((g1Decode(affine, encoding, encoding) & 0xff) !== DECODED_POINT) return false;
  g1FromAffine(signature, affine);
  g1Merge(points, hash, signature);
  if (!g1ClearAndCheck(hash, points)) return false;
  if (g1IdentityLanes(hash) !== 0) return false;
  g1ToAffine(affine, hash);
  beginWithSignature(affine);
  addHash(affine, key);
  return productIsOne();
}
