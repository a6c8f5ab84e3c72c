/**
 * A tile with the subtrees over its nodes, which are hashed at the first use.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { nodeCount } from "./nodes.ts";

/**
 * The first `width` nodes of a tile. Nodes are only appended, so perfect subtrees of a partial tile
 * are the same in every wider one. Takes 64 bytes a node once hashed.
 */
export class HashedTile {
  readonly width: number;
  /** Packed nodes, followed by the levels above them once `#isHashed`. */
  #levels: Bytes;
  #isHashed = false;

  /** Keeps `nodes`; the caller must not change it. */
  constructor(nodes: Bytes) {
    this.width = nodeCount(nodes);
    this.#levels = nodes;
  }

  /** The first `width` packed nodes, a view. */
  nodes(width: number): Bytes {
    return this.#levels.subarray(0, width * HASH_LENGTH);
  }

  /** The root of the nodes [index * 2^height, (index + 1) * 2^height) of the tile, a view. */
  node(kernels: Kernels, height: number, index: number): Bytes {
    if (height > 0 && !this.#isHashed) {
      this.#levels = kernels.treeLevels(this.nodes(this.width));
      this.#isHashed = true;
    }
    let at = index;
    for (let level = 0, count = this.width; level < height; level++) {
      at += count;
      count = (count + 1) >>> 1;
    }
    return this.#levels.subarray(at * HASH_LENGTH, (at + 1) * HASH_LENGTH);
  }
}
