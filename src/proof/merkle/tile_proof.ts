/**
 * Roots and proofs of RFC 9162 from tiles, for every size that the tree has had.
 *
 * A proof has nodes of two kinds. Perfect nodes are not at the right edge, and are nodes of one tile at
 * every size. The last node of each height is hashed from O(log n) perfect nodes, once for each size.
 * Both are cached; cache entries never become stale, since nodes are only appended.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, hexOf } from "../../base/bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";
import { copyNodes, nodeCount } from "./nodes.ts";
import { consistencyRanges, type Range, requireLeaf } from "./proof.ts";
import { type NodeSource, TILE_HEIGHT, TILE_WIDTH } from "./tile.ts";
import { emptyRoot } from "./tree.ts";

/** Sizes of the caches. */
export interface ProofCaches {
  /** Tiles, 64 bytes a node once hashed, and as many paths above 256 leaves, about 2 KiB each. */
  readonly tiles: number;
  /** Right edges, about 1 KiB each. */
  readonly sizes: number;
}

/** The tiles above one leaf, by tile-level; `undefined` if the level has no whole node. */
type TileColumn = readonly (HashedTile | undefined)[];

/** More than the height of any tree. */
const MAX_HEIGHT = 64;

/** Proves from the tiles of a source, which must be append-only. */
export class TileProver {
  readonly #kernels: Kernels;
  readonly #source: NodeSource;
  /** By tile-level: the height of its nodes above the leaves. */
  readonly #bases: readonly number[];
  readonly #tiles: RecentlyUsed<number, HashedTile | Promise<HashedTile>>;
  /** By size: the last node of every height, packed, the leaf first and the root last. */
  readonly #edges: RecentlyUsed<number, Bytes>;
  /** By tile and size: hex of the path from the tile's root upwards. */
  readonly #upper: RecentlyUsed<string, readonly string[]>;

  constructor(kernels: Kernels, source: NodeSource, caches: ProofCaches) {
    this.#kernels = kernels;
    this.#source = source;
    this.#bases = basesOf(source.heights ?? []);
    this.#tiles = new RecentlyUsed(caches.tiles);
    this.#edges = new RecentlyUsed(caches.sizes);
    this.#upper = new RecentlyUsed(caches.tiles);
  }

  /** The root of the tree at `size` leaves. */
  root(size: number): Bytes | Promise<Bytes> {
    if (size === 0) return emptyRoot(this.#kernels);
    const edge = this.#edge(size);
    return edge instanceof Promise ? edge.then(rootOf) : rootOf(edge);
  }

  /**
   * The inclusion proof of leaf `index` in the tree of `size` leaves (RFC 9162 section 2.1.3.1), leaf
   * to root. `internal` unless index < size, `store_corrupt` for a tile of the wrong length.
   */
  inclusionPath(index: number, size: number): Bytes[] | Promise<Bytes[]> {
    requireLeaf(index, size);
    return this.#withNodes(
      index,
      size,
      (column, edge) => this.#siblings(index, size, { column, edge, from: 0, to: Infinity }),
    );
  }

  /**
   * {@linkcode TileProver.inclusionPath} in hex, for the leaf hash `leaf` in hex; `store_corrupt` if the tree has
   * another leaf there.
   */
  inclusionHex(index: number, size: number, leaf: string): string[] | Promise<string[]> {
    requireLeaf(index, size);
    const cached = this.#cachedHex(index, size, leaf);
    if (cached !== undefined) return cached;
    return this.#withNodes(index, size, (column, edge) => {
      this.#requireLeafHash(column, index, leaf);
      const lower = this.#siblings(index, size, { column, edge, from: 0, to: TILE_HEIGHT });
      return [...hexesOf(lower), ...this.#upperHex(index, size, column, edge)];
    });
  }

  /**
   * The consistency proof from `first` to `second` leaves (RFC 9162 section 2.1.4.1). `internal`
   * unless 1 <= first <= second, `store_corrupt` as above.
   */
  consistencyPath(first: number, second: number): Bytes[] | Promise<Bytes[]> {
    return this.#hashes(consistencyRanges(first, second), first - 1, second);
  }

  /** The hashes of `ranges`, which are nodes above `leaf` or their siblings. */
  #hashes(ranges: readonly Range[], leaf: number, size: number): Bytes[] | Promise<Bytes[]> {
    if (ranges.length === 0) return [];
    return this.#withNodes(
      leaf,
      size,
      (column, edge) => ranges.map((range) => this.#hash(range, size, column, edge)),
    );
  }

  /** Calls `make` with the tiles above `leaf` and the right edge; synchronous if they are cached. */
  #withNodes<Made>(
    leaf: number,
    size: number,
    make: (column: TileColumn, edge: Bytes) => Made,
  ): Made | Promise<Made> {
    const edge = this.#edge(size);
    const column = this.#column(leaf, size);
    if (!(edge instanceof Promise) && !(column instanceof Promise)) return make(column, edge);
    return Promise.all([edge, column]).then(([edge, column]) => make(column, edge));
  }

  /** The siblings on the path from leaf `index` to the root, of the heights [from, to). */
  #siblings(
    index: number,
    size: number,
    { column, edge, from, to }: {
      readonly column: TileColumn;
      readonly edge: Bytes;
      readonly from: number;
      readonly to: number;
    },
  ): Bytes[] {
    const nodes: Bytes[] = [];
    let node = Math.floor(index / 2 ** from);
    let last = Math.floor((size - 1) / 2 ** from);
    for (let height = from; height < to && last > 0; height++) {
      const sibling = node % 2 === 1 ? node - 1 : node + 1;
      // A last node without a sibling is carried up and adds nothing.
      if (sibling === last) nodes.push(nodeAt(edge, height));
      else if (sibling < last) nodes.push(this.#perfect(column, height, sibling));
      node = Math.floor(node / 2);
      last = Math.floor(last / 2);
    }
    return nodes;
  }

  /** {@linkcode TileProver.inclusionHex} from the leaf's tiles and the path above them, if all are cached. */
  #cachedHex(index: number, size: number, leaf: string): string[] | undefined {
    // Paths in the last 256 leaves need the right edge.
    if (Math.floor(index / TILE_WIDTH) === Math.floor((size - 1) / TILE_WIDTH)) return undefined;
    const upper = this.#upper.get(upperKey(index, size));
    if (upper === undefined) return undefined;
    const column: HashedTile[] = [];
    for (let level = 0; this.#bases[level]! < TILE_HEIGHT; level++) {
      const leaves = 2 ** this.#bases[level + 1]!;
      const tile = this.#tiles.get(tileKey(level, Math.floor(index / leaves)));
      if (!(tile instanceof HashedTile) || tile.width < this.#widthOf(level)) return undefined;
      column.push(tile);
    }
    this.#requireLeafHash(column, index, leaf);
    const path: string[] = [];
    for (let height = 0, node = index % TILE_WIDTH; height < TILE_HEIGHT; height++, node >>>= 1) {
      path.push(hexOf(this.#perfect(column, height, node ^ 1)));
    }
    path.push(...upper);
    return path;
  }

  #requireLeafHash(column: TileColumn, index: number, leaf: string): void {
    if (hexOf(this.#perfect(column, 0, index)) === leaf) return;
    throw new CountersignError(
      "store_corrupt",
      `Cannot prove leaf ${index}: the tree has another leaf in its place`,
    );
  }

  /** The part of a path that all leaves of one tile share. */
  #upperHex(index: number, size: number, column: TileColumn, edge: Bytes): readonly string[] {
    const key = upperKey(index, size);
    const known = this.#upper.get(key);
    if (known !== undefined) return known;
    const from = TILE_HEIGHT;
    const upper = hexesOf(this.#siblings(index, size, { column, edge, from, to: Infinity }));
    this.#upper.set(key, upper);
    return upper;
  }

  #hash({ start, end }: Range, size: number, column: TileColumn, edge: Bytes): Bytes {
    let height = 0;
    while (2 ** height < end - start) height++;
    if (end === size) return nodeAt(edge, height);
    return this.#perfect(column, height, start / 2 ** height);
  }

  /** The perfect node `index` of `height`, in the tile of `column` that holds it. */
  #perfect(column: TileColumn, height: number, index: number): Bytes {
    let level = 0;
    while (this.#bases[level + 1]! <= height) level++;
    const inner = height - this.#bases[level]!;
    return column[level]!.node(this.#kernels, inner, index % (this.#widthOf(level) >>> inner));
  }

  /** Nodes in a full tile of a level. */
  #widthOf(level: number): number {
    return 2 ** (this.#bases[level + 1]! - this.#bases[level]!);
  }

  /** The last node of every height of the tree of `size` leaves; `size` is at least 1. */
  #edge(size: number): Bytes | Promise<Bytes> {
    const known = this.#edges.get(size);
    if (known !== undefined) return known;
    const column = this.#column(size - 1, size);
    if (!(column instanceof Promise)) return this.#hashEdge(column, size);
    return column.then((column) => this.#hashEdge(column, size));
  }

  #hashEdge(column: TileColumn, size: number): Bytes {
    let node = this.#perfect(column, 0, size - 1);
    const nodes = [node];
    for (let height = 0, last = size - 1; last > 0; height++, last = Math.floor(last / 2)) {
      // An even last node has no sibling: it is carried up.
      if (last % 2 === 1) {
        node = this.#kernels.nodeHash(this.#perfect(column, height, last - 1), node);
      }
      nodes.push(node);
    }
    const edge = concat(...nodes);
    this.#edges.set(size, edge);
    return edge;
  }

  /** The tiles above leaf `index`, at least as wide as at `size`. */
  #column(index: number, size: number): TileColumn | Promise<TileColumn> {
    const column: (HashedTile | Promise<HashedTile> | undefined)[] = [];
    let isWhole = true;
    for (let level = 0, count = size; level === 0 || count > 1; level++) {
      const full = this.#widthOf(level);
      const at = Math.floor(index / 2 ** this.#bases[level + 1]!);
      const nodes = Math.floor(size / 2 ** this.#bases[level]!);
      const width = Math.min(full, nodes - at * full);
      const tile = width > 0 ? this.#tile(level, at, width) : undefined;
      if (tile instanceof Promise) isWhole = false;
      column.push(tile);
      count = Math.ceil(count / full);
    }
    return isWhole ? column as TileColumn : Promise.all(column);
  }

  #tile(level: number, index: number, width: number): HashedTile | Promise<HashedTile> {
    const key = tileKey(level, index);
    const known = this.#tiles.get(key);
    if (known instanceof Promise) {
      // The pending read may be for a smaller width.
      return known.then((tile) => tile.width >= width ? tile : this.#tile(level, index, width));
    }
    if (known !== undefined && known.width >= width) return known;
    const tile = this.#read(level, index, width);
    this.#tiles.set(key, tile);
    tile.then((tile) => this.#tiles.set(key, tile), () => this.#tiles.delete(key));
    return tile;
  }

  async #read(level: number, index: number, width: number): Promise<HashedTile> {
    const nodes = await this.#source.nodes(level, index, width);
    if (nodes.length !== width * HASH_LENGTH) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot read tile ${index} of level ${level}: it has ${nodes.length} bytes instead of ` +
          `${width * HASH_LENGTH}`,
      );
    }
    return new HashedTile(copyNodes(nodes, 0, width));
  }
}

/** The heights of the nodes of each tile-level, of which the lowest have these heights. */
function basesOf(heights: readonly number[]): number[] {
  const bases = [0];
  for (let level = 0; bases[level]! < MAX_HEIGHT; level++) {
    bases.push(bases[level]! + (heights[level] ?? TILE_HEIGHT));
  }
  return bases;
}

function tileKey(level: number, index: number): number {
  return index * 64 + level;
}

function upperKey(index: number, size: number): string {
  return `${Math.floor(index / TILE_WIDTH)}/${size}`;
}

function nodeAt(nodes: Bytes, index: number): Bytes {
  return nodes.subarray(index * HASH_LENGTH, (index + 1) * HASH_LENGTH);
}

function hexesOf(nodes: readonly Bytes[]): string[] {
  return nodes.map((node) => hexOf(node));
}

function rootOf(edge: Bytes): Bytes {
  return edge.subarray(edge.length - HASH_LENGTH);
}

/**
 * The first `width` nodes of a tile, and the subtrees over them, which are hashed at the first use.
 * Nodes are only appended, so perfect subtrees of a partial tile are the same in every wider one.
 * Takes 64 bytes a node once hashed.
 */
class HashedTile {
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
