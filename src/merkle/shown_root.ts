/**
 * Consistency paths that show the first root. RFC 9162 leaves it out of a path from a power of two,
 * since who verifies has it, and section 2.1.4.2 begins by putting it in front. Who wants to know
 * which other root a path leads from needs it there.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { consistencyRanges } from "./proof.ts";

/** `path` from `first`, whose root is `root`, with that in front where the RFC leaves it out. */
export function showFirstRoot(first: number, root: Bytes, path: readonly Bytes[]): Bytes[] {
  return isPowerOfTwo(first) ? [root, ...path] : [...path];
}

/** A path as the RFC has it, and the first root where it was shown. */
export interface PlainPath {
  readonly shownRoot?: Bytes;
  readonly path: readonly Bytes[];
}

/** Undoes {@linkcode showFirstRoot}; a path without it, or of a wrong length, is left as it is. */
export function plainPath(first: number, second: number, path: readonly Bytes[]): PlainPath {
  const isGrowth = first >= 1 && first < second;
  const [shownRoot, ...rest] = path;
  return isGrowth && isPowerOfTwo(first) && shownRoot !== undefined &&
      rest.length === consistencyRanges(first, second).length
    ? { shownRoot, path: rest }
    : { path };
}

/** Of an integer from 1 to 2^53. */
function isPowerOfTwo(size: number): boolean {
  let power = 1;
  while (power < size) power *= 2;
  return power === size;
}
