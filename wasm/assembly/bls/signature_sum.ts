// Sums of compressed signatures, two at a time: one sum in each lane until the end.

import { g1Add, g1AddAffine, g1Choose, g1Copy, g1Identity, g1IdentityLanes, g1Swap, g1ToAffine } from "./g1";
import { DECODED_POINT, g1DecodeChecked, g1Encode } from "./g1_codec";
import { SIGNATURE_BYTES } from "./regions";

const sum: usize = memory.data(384, 16);
const before: usize = memory.data(384, 16);
const terms: usize = memory.data(256, 16);

/** Begins with the identity. */
export function startSignatureSum(): void {
  g1Identity(sum);
}

/** Adds one or two encodings of valid signatures; false where one is none, and then the sum ends. */
export function addToSignatureSum(encodings: usize, count: u32): bool {
  const second = count === 2 ? encodings + SIGNATURE_BYTES : encodings;
  if (g1DecodeChecked(terms, encodings, second) !== (DECODED_POINT | (DECODED_POINT << 8))) return false;
  g1Copy(before, sum);
  g1AddAffine(sum, sum, terms);
  if (count !== 2) g1Choose(sum, sum, before, 1);
  return true;
}

/** The encoding of the sum; false and nothing where it is the identity. */
export function finishSignatureSum(encoding: usize): bool {
  g1Swap(before, sum);
  g1Add(sum, sum, before);
  if (g1IdentityLanes(sum) !== 0) return false;
  g1ToAffine(terms, sum);
  g1Encode(encoding, terms, 0);
  return true;
}
