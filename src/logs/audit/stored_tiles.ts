/**
 * Compares the stored tiles with the rebuilt tree: each full tile once, in order, then the partial ones.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";
import { fullTiles, TILE_WIDTH } from "../../proof/merkle/tile.ts";
import type { FullTile } from "../../proof/merkle/tile_growth.ts";
import { Cursor } from "./cursor.ts";
import type { FaultLog } from "./faults.ts";
import { type Stored, type StoredLog, TILE_LEVELS } from "./ports.ts";
import { compareNodes } from "./tree_rebuild.ts";

const TILE_BYTES = TILE_WIDTH * HASH_LENGTH;

/** The full tiles of one level, or their upper nodes. Keeps those that were read and not compared yet. */
class TileLevel {
  readonly #tiles: Cursor<Stored<Bytes>>;
  readonly #ahead = new Map<number, Stored<Bytes>>();

  constructor(tiles: AsyncIterable<Stored<Bytes>>) {
    this.#tiles = new Cursor(tiles);
  }

  async at(index: number): Promise<Stored<Bytes> | undefined> {
    for (let tile = await this.#tiles.peek(); tile !== undefined && tile.key <= index;) {
      this.#ahead.set(tile.key, tile);
      await this.#tiles.next();
      tile = await this.#tiles.peek();
    }
    return this.#ahead.get(index);
  }

  /** {@linkcode at}, for the last time. */
  async take(index: number): Promise<Stored<Bytes> | undefined> {
    const tile = await this.at(index);
    this.#ahead.delete(index);
    return tile;
  }

  /** The tiles that were not compared. */
  async *remaining(): AsyncGenerator<Stored<Bytes>> {
    yield* this.#ahead.values();
    for (let tile = await this.#tiles.next(); tile !== undefined;) {
      yield tile;
      tile = await this.#tiles.next();
    }
  }
}

export class StoredTiles {
  readonly #levels: readonly TileLevel[];
  /** Of the full tiles of level 0. */
  readonly #upperNodes: TileLevel;
  readonly #edges: readonly Stored<Bytes>[];
  readonly #size: number;
  readonly #faults: FaultLog;
  #compared = 0;

  /** `tree` is the stored tree of `log`. */
  constructor(
    log: StoredLog,
    tree: { readonly size: number; readonly edges: readonly Stored<Bytes>[] },
    faults: FaultLog,
  ) {
    this.#levels = Array.from(
      { length: TILE_LEVELS },
      (_, level) => new TileLevel(log.tiles(level)),
    );
    this.#upperNodes = new TileLevel(log.upperNodes());
    this.#size = tree.size;
    this.#edges = tree.edges;
    this.#faults = faults;
  }

  /** Number of full tiles compared. */
  get compared(): number {
    return this.#compared;
  }

  /**
   * The stored leaves [start, end), packed, from tiles that are not compared yet; `undefined` when one is
   * lost. If they are `isNeeded`, that is reported: without them the tree cannot be rebuilt further.
   */
  async leaves(start: number, end: number, isNeeded: boolean): Promise<Bytes | undefined> {
    const leaves = new Uint8Array((end - start) * HASH_LENGTH);
    for (let next = start; next < end;) {
      const index = Math.floor(next / TILE_WIDTH);
      const offset = (next % TILE_WIDTH) * HASH_LENGTH;
      const count = Math.min(end, (index + 1) * TILE_WIDTH) - next;
      const tile = await this.#leafTile(index);
      const nodes = tile !== undefined && "value" in tile
        ? tile.value.subarray(offset, offset + count * HASH_LENGTH)
        : undefined;
      if (nodes?.length !== count * HASH_LENGTH) {
        const reason = tile !== undefined && "damage" in tile ? `: ${tile.damage}` : "";
        const problem = `the tile has no leaf at ${next}${reason}`;
        if (isNeeded) this.#faults.add("tile", `0/${index}`, problem);
        return undefined;
      }
      leaves.set(nodes, (next - start) * HASH_LENGTH);
      next += count;
    }
    return leaves;
  }

  /** Compares a full tile with the stored one. */
  async compare({ level, index, hashes, upperNodes }: FullTile): Promise<void> {
    this.#compared++;
    const tile = await this.#levels[level]?.take(index);
    compareNodes(this.#faults, "tile", `${level}/${index}`, hashes, tile);
    if (level > 0) return;
    const upper = await this.#upperNodes.take(index);
    compareNodes(this.#faults, "tile", `upper/${index}`, upperNodes, upper);
  }

  /** Compares the partial tiles with the stored ones. */
  compareEdges(edges: readonly Bytes[]): void {
    for (let level = 0; level < Math.max(edges.length, this.#edges.length); level++) {
      const stored = this.#edges.find(({ key }) => key === level);
      const required = edges[level];
      if (required !== undefined) {
        compareNodes(this.#faults, "edge", level, required, stored);
      } else if (stored !== undefined) {
        this.#faults.add("edge", level, "the tree has no partial tile at this level");
      }
    }
  }

  async #leafTile(index: number): Promise<Stored<Bytes> | undefined> {
    if (index < fullTiles(0, this.#size)) return await this.#levels[0]!.at(index);
    return this.#edges.find(({ key }) => key === 0);
  }

  /** Reports the full tiles that a tree of `size` leaves does not have. */
  async reportRemaining(size: number): Promise<void> {
    for (
      const [level, tiles] of [...this.#levels.entries(), ["upper", this.#upperNodes] as const]
    ) {
      for await (const { key } of tiles.remaining()) {
        const problem = `the tile is beyond the tree of ${size} leaves`;
        this.#faults.add("tile", `${level}/${key}`, problem);
      }
    }
  }
}

/** The size of the tree with these edges; `undefined` when they are damaged. */
export function sizeOfEdges(edges: readonly Stored<Bytes>[]): number | undefined {
  let size = 0;
  for (const edge of edges) {
    if ("damage" in edge || edge.value.length % HASH_LENGTH !== 0) return undefined;
    if (edge.value.length >= TILE_BYTES) return undefined;
    size += edge.value.length / HASH_LENGTH * TILE_WIDTH ** edge.key;
  }
  return size;
}
