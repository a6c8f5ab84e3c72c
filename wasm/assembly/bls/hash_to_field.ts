// hash_to_field of RFC 9380 section 5.2 for the suite of section 8.8.1: two elements of Fp.

import { expandMessage } from "./expand_message";
import { WIDE_BYTES, pairFromWideBytes } from "./words";

const uniform: usize = memory.data(128, 16);

/** dst = u0 and u1 in its lanes, weight 2, under the tag of `setTag`. */
export function hashToField(dst: usize, message: usize, length: u32): void {
  expandMessage(uniform, 2 * <u32>WIDE_BYTES, message, length);
  pairFromWideBytes(dst, uniform, uniform + WIDE_BYTES);
}
