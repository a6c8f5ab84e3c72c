/**
 * Consistency paths with the first root. RFC 9162 omits it from a path that begins at a power of two,
 * since the verifier has it. Evidence of a fork includes it, to show which other root the path begins
 * at.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { consistencyRanges } from "./proof.ts";

/** Puts `root`, the root of size `first`, before `path` if the RFC omits it. */
export function showFirstRoot(first: number, root: Bytes, path: readonly Bytes[]): Bytes[] {
  return isPowerOfTwo(first) ? [root, ...path] : [...path];
}

/** A path by the RFC, and the first root if the path included it. */
export interface PlainPath {
  readonly shownRoot?: Bytes;
  readonly path: readonly Bytes[];
}

/** Reverses {@linkcode showFirstRoot}; leaves other paths unchanged. */
export function plainPath(first: number, second: number, path: readonly Bytes[]): PlainPath {
  const isGrowth = first >= 1 && first < second;
  const [shownRoot, ...rest] = path;
  return isGrowth && isPowerOfTwo(first) && shownRoot !== undefined &&
      rest.length === consistencyRanges(first, second).length
    ? { shownRoot, path: rest }
    : { path };
}

function isPowerOfTwo(size: number): boolean {
  let power = 1;
  while (power < size) power *= 2;
  return power === size;
}
