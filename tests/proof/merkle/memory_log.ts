/**
 * A log's tiles in memory, stricter than any store: full tiles are written once, and a call must
 * not read beyond the log or read a tile twice.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Kernels } from "../../../src/proof/crypto/kernels.ts";
import { type NodeSource, TILE_WIDTH } from "../../../src/proof/merkle/tile.ts";
import { type GrownTree, growTree } from "../../../src/proof/merkle/tile_growth.ts";

export class MemoryLog {
  readonly #kernels: Kernels;
  readonly tiles = new Map<string, Uint8Array>();
  tree: Pick<GrownTree, "size" | "root" | "edges">;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
    this.tree = growTree(kernels, { size: 0, edges: [] }, new Uint8Array());
  }

  append(leaves: Uint8Array): void {
    const { tiles, ...tree } = growTree(this.#kernels, this.tree, leaves);
    for (const { level, index, hashes } of tiles) {
      const name = `${level}/${index}`;
      assert(!this.tiles.has(name), `tile ${name} is written once`);
      assert.equal(hashes.length, TILE_WIDTH * 32);
      this.tiles.set(name, hashes);
    }
    this.tree = tree;
  }

  /** A source without the rule about repeated reads. */
  rereadable(): NodeSource {
    return { nodes: (level, tile, width) => this.source().nodes(level, tile, width) };
  }

  /** A source for one call, with the tiles that it has read. */
  source(): NodeSource & { readonly read: Set<string> } {
    const read = new Set<string>();
    return {
      read,
      nodes: (level, tile, width) => {
        const name = `${level}/${tile}`;
        assert(!read.has(name), `tile ${name} is read once`);
        read.add(name);
        assert(Number.isInteger(width) && width >= 1 && width <= TILE_WIDTH);
        const nodes = this.tiles.get(name) ?? this.tree.edges[level]!;
        assert(width * 32 <= nodes.length, `tile ${name} has ${width} nodes`);
        return Promise.resolve(nodes.subarray(0, width * 32));
      },
    };
  }
}
