// hash_to_field of RFC 9380 section 5.2 for the suite of section 8.8.1: two elements of Fp.

import { finishExpansion } from "./expand_message";
import { WIDE_BYTES, pairFromWideBytes } from "./words";

const uniform: usize = memory.data(128, 16);

/** Ends the message begun by `startExpansion`: dst = its u0 and u1 in the lanes, weight 2. */
export function hashToField(dst: usize): void {
  finishExpansion(uniform, 2 * <u32>WIDE_BYTES);
  pairFromWideBytes(dst, uniform, uniform + WIDE_BYTES);
}
