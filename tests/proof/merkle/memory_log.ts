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

  /** {@linkcode rereadable} as a gateway divides it: groups of 32 leaves, 8 nodes above them, tiles. */
  grouped(): NodeSource {
    return {
      heights: [5, 3],
      nodes: async (level, index, width) => {
        const nodes = (level: number, tile: number, width: number) =>
          this.source().nodes(level, tile, width);
        if (level > 1) return await nodes(level - 1, index, width);
        if (level === 1) return this.#kernels.treeLevel(await nodes(0, index, 32 * width), 5);
        const start = index % 8 * 32;
        return (await nodes(0, Math.floor(index / 8), start + width)).subarray(start * 32);
      },
    };
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
