// Sums of decoded public keys.

import { g2Add, g2FromAffine, g2Identity, g2IsIdentity, g2ToAffine } from "./g2";

const sum: usize = memory.data(384, 16);
const term: usize = memory.data(384, 16);

/** Begins with the identity. */
export function startKeySum(): void {
  g2Identity(sum);
}

/** Adds an affine point. */
export function addToKeySum(affine: usize): void {
  g2FromAffine(term, affine);
  g2Add(sum, sum, term);
}

/** The sum, affine; false and nothing where it is the identity. */
export function finishKeySum(affine: usize): bool {
  if (g2IsIdentity(sum)) return false;
  g2ToAffine(affine, sum);
  return true;
}
