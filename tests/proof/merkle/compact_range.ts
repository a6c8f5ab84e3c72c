/**
 * A second implementation of the tree hash, which grows by one leaf at a time.
 *
 * @module
 */

import type { Bytes } from "../../../src/base/bytes.ts";
import type { Kernels } from "../../../src/proof/crypto/kernels.ts";
import { emptyRoot } from "../../../src/proof/merkle/tree.ts";

/**
 * The perfect subtrees along the right edge of a tree, which are enough to grow it: one hash per set
 * bit of `size`.
 */
export class CompactRange {
  #size = 0;
  // Roots of the perfect subtrees, largest first: one for each set bit of #size.
  #peaks: Bytes[] = [];

  private constructor() {}

  /** The range of a tree without leaves. */
  static empty(): CompactRange {
    return new CompactRange();
  }

  /** The number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** An independent copy. */
  copy(): CompactRange {
    const copy = new CompactRange();
    copy.#size = this.#size;
    copy.#peaks = [...this.#peaks];
    return copy;
  }

  /** Adds one leaf at the right; amortized one hash. */
  append(kernels: Kernels, leafHash: Uint8Array): void {
    let node: Bytes = leafHash.slice();
    // Each trailing set bit is a peak of the same height as the new node; merge them.
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      node = kernels.nodeHash(this.#peaks.pop()!, node);
    }
    this.#peaks.push(node);
    this.#size++;
  }

  /** The root of the tree; {@linkcode emptyRoot} without leaves. */
  root(kernels: Kernels): Bytes {
    const [last, ...higher] = this.#peaks.toReversed();
    if (last === undefined) return emptyRoot(kernels);
    return higher.reduce((root, peak) => kernels.nodeHash(peak, root), last.slice());
  }
}
