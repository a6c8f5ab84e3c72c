/**
 * Roots and proofs of RFC 9162 read from tiles, for any size that the tree ever had.
 *
 * Within one call a tile is read once, as wide as it was at that size, and tiles are read side by side.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../errors.ts";
import { copyNodes } from "./nodes.ts";
import { consistencyRanges, inclusionRanges, type Range } from "./proof.ts";
import { type NodeSource, rootOfEdges, TILE_WIDTH, tileWidth } from "./tile.ts";

/** Tiles of the tree of `size` leaves, each read from the source at most once. */
class TileReader {
  readonly #source: NodeSource;
  readonly #size: number;
  readonly #tiles = new Map<string, Promise<Uint8Array>>();

  constructor(source: NodeSource, size: number) {
    this.#source = source;
    this.#size = size;
  }

  /** The nodes [start, end) of tile-level `level`; they lie in one tile. */
  async nodes(level: number, start: number, end: number): Promise<Bytes> {
    if (start === end) return new Uint8Array();
    const index = Math.floor(start / TILE_WIDTH);
    const tile = await this.#tile(level, index);
    const first = index * TILE_WIDTH;
    return copyNodes(tile, start - first, end - first);
  }

  #tile(level: number, index: number): Promise<Uint8Array> {
    const name = `${level}/${index}`;
    const known = this.#tiles.get(name);
    if (known !== undefined) return known;
    const tile = this.#read(level, index);
    this.#tiles.set(name, tile);
    return tile;
  }

  async #read(level: number, index: number): Promise<Uint8Array> {
    const width = tileWidth(level, index, this.#size);
    const nodes = await this.#source.nodes(level, index, width);
    if (nodes.length !== width * HASH_LENGTH) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot read tile ${index} of level ${level}: ${width * HASH_LENGTH} bytes required, ` +
          `${nodes.length} bytes found`,
      );
    }
    return nodes;
  }
}

/** True when [start, end) is one subtree: its start is a multiple of the power of two that holds it. */
function isSubtree(start: number, end: number): boolean {
  let span = 1;
  while (span < end - start) span *= 2;
  return start >= 0 && start < end && start % span === 0;
}

async function hashOfRange(kernels: Kernels, reader: TileReader, range: Range): Promise<Bytes> {
  const edges: Promise<Bytes>[] = [];
  let { start, end } = range;
  // What is wider than a tile begins at a tile, and its whole tiles are nodes of the next level.
  for (let level = 0;; level++) {
    const wide = end - start >= TILE_WIDTH;
    const edgeStart = wide ? end - end % TILE_WIDTH : start;
    edges.push(reader.nodes(level, edgeStart, end));
    if (!wide) break;
    start /= TILE_WIDTH;
    end = edgeStart / TILE_WIDTH;
  }
  return rootOfEdges(kernels, await Promise.all(edges));
}

function hashesOfRanges(
  kernels: Kernels,
  source: NodeSource,
  ranges: readonly Range[],
  size: number,
): Promise<Bytes[]> {
  const reader = new TileReader(source, size);
  return Promise.all(ranges.map((range) => hashOfRange(kernels, reader, range)));
}

/**
 * The hash (MTH) of the leaves [start, end) of the tree of `size` leaves, from O(log n) tiles.
 * `internal` unless they are a subtree of it, `store_corrupt` when a tile has another length than
 * asked for.
 */
export async function subtreeHash(
  kernels: Kernels,
  source: NodeSource,
  start: number,
  end: number,
  size: number,
): Promise<Bytes> {
  if (end > size || !isSubtree(start, end)) {
    throw new CountersignError(
      "internal",
      `Cannot hash leaves: a subtree within ${size} leaves required, [${start}, ${end}) found`,
    );
  }
  return await hashOfRange(kernels, new TileReader(source, size), { start, end });
}

/** The root that the tree had at `size` leaves; of the empty tree at 0. */
export function rootAt(kernels: Kernels, source: NodeSource, size: number): Promise<Bytes> {
  return hashOfRange(kernels, new TileReader(source, size), { start: 0, end: size });
}

/** The inclusion proof of {@linkcode inclusionRanges}, leaf to root. Needs index < size. */
export async function inclusionPath(
  kernels: Kernels,
  source: NodeSource,
  index: number,
  size: number,
): Promise<Bytes[]> {
  return await hashesOfRanges(kernels, source, inclusionRanges(index, size), size);
}

/** The consistency proof of {@linkcode consistencyRanges}. Needs 1 <= first <= second. */
export async function consistencyPath(
  kernels: Kernels,
  source: NodeSource,
  first: number,
  second: number,
): Promise<Bytes[]> {
  return await hashesOfRanges(kernels, source, consistencyRanges(first, second), second);
}
