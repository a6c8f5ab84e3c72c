/**
 * The tree under a verified head, read from a source that is not trusted. Each tile is checked before it
 * is returned: the right edges hash to the root, a full tile to its node in the tile above, and entries
 * to their leaves.
 *
 * @module
 */

import { type Bytes, equalBytes, HASH_LENGTH } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import { readTile } from "../../client/tile_reader.ts";
import { entryLeaves, splitEntries } from "../../proof/format/entry_bundle.ts";
import {
  fullTiles,
  type NodeSource,
  partialWidth,
  rootOfEdges,
  TILE_HEIGHT,
  TILE_WIDTH,
  type TileAddress,
  tilePath,
  tileWidth,
} from "../../proof/merkle/tile.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";
import type { WalkedTile } from "./log_walk.ts";
import type { LogSource } from "./ports.ts";

/** Size and root of a verified head. */
export interface TreeRoot {
  readonly size: number;
  readonly root: Bytes;
}

/** An entry bundle, and the leaves that its entries hash to. */
export interface HashedEntries {
  readonly bundle: Bytes;
  readonly entries: readonly Bytes[];
  readonly leaves: Bytes;
}

/**
 * `proof_refused`: data that cannot be used. `missing` and `malformed` data may be a fault of the host;
 * well-formed data that does not hash to the signed root (`mismatch`) is not an accident.
 */
export class UnverifiedData extends CountersignError {
  readonly fault: "missing" | "malformed" | "mismatch";
  /** The message without the name of the log. */
  readonly reason: string;
  /** Path below the log's URL; the right edge of the tree has none. */
  readonly path: string | undefined;

  constructor(
    { name }: Pick<LogSource, "name">,
    reason: string,
    fault: UnverifiedData["fault"],
    path?: string,
  ) {
    super("proof_refused", `Cannot use the log of ${name}: ${reason}`);
    this.fault = fault;
    this.reason = reason;
    this.path = path;
  }
}

/** Where tiles are read. */
export type NamedTiles = Pick<LogSource, "name" | "tile">;

/** Where a tree is read, and what replaces a full tile that cannot be used. */
export interface TreeReading {
  readonly kernels: Kernels;
  readonly source: NamedTiles;
  readonly signal?: AbortSignal | undefined;
  /**
   * The nodes to use in place of the full tile at `address`; rejects if there are none. `check` rejects
   * with {@linkcode UnverifiedData} for nodes that do not hash to the tile above.
   */
  readonly mend?: (
    fault: UnverifiedData,
    address: WalkedTile,
    check: (nodes: Bytes) => Promise<void>,
  ) => Promise<Bytes>;
}

/** Tiles in the cache of a level: a walk from left to right uses one on each. */
const CACHED_TILES = 16;

/** Methods reject with {@linkcode UnverifiedData} for data that do not match the head. */
export class VerifiedTree implements NodeSource {
  readonly size: number;
  readonly #reading: TreeReading;
  /** The partial tile of each level, lowest first. */
  readonly #edges: readonly (Bytes | undefined)[];
  /** By level and index. */
  readonly #tiles: RecentlyUsed<number, Promise<Bytes>>[] = [];

  /** A tree with these `edges`, which are right; `undefined` for one that is lost. */
  constructor(reading: TreeReading, size: number, edges: readonly (Bytes | undefined)[]) {
    this.#reading = reading;
    this.size = size;
    this.#edges = edges;
  }

  /** Reads the right edge of the tree, and checks that it hashes to the root. */
  static async open(reading: TreeReading, { size, root }: TreeRoot): Promise<VerifiedTree> {
    const { kernels, source } = reading;
    const edges = await Promise.all(
      edgesOf(size).map((edge) => edge.width === 0 ? new Uint8Array() : readNodes(reading, edge)),
    );
    if (!equalBytes(rootOfEdges(kernels, edges), root)) {
      const reason = `the tiles do not hash to the root of its checkpoint, size ${size}`;
      throw new UnverifiedData(source, reason, "mismatch");
    }
    return new VerifiedTree(reading, size, edges);
  }

  /** The first `width` nodes of a tile of the tree, a view. */
  async nodes(level: number, index: number, width: number): Promise<Bytes> {
    return (await this.#tile(level, index)).subarray(0, width * HASH_LENGTH);
  }

  /** The root of the first `size` leaves. */
  async rootAt(size: number): Promise<Bytes> {
    const edges = await Promise.all(
      edgesOf(size).map(({ level, index, width }) =>
        width === 0 ? new Uint8Array() : this.nodes(level, index, width)
      ),
    );
    return rootOfEdges(this.#reading.kernels, edges);
  }

  /** The entries of tile `index`, from `source` if named, else from the source of the tiles. */
  async entries(
    index: number,
    source: NamedTiles = this.#reading.source,
  ): Promise<HashedEntries> {
    const width = tileWidth(0, index, this.size);
    const hashed = await readEntries({ ...this.#reading, source }, index, width);
    const path = tilePath("entries", index, width);
    await this.#verify(source, { level: 0, index, width }, hashed.leaves, path);
    return hashed;
  }

  async #tile(level: number, index: number): Promise<Bytes> {
    if (index === fullTiles(level, this.size)) return this.#edge(level, index);
    const tiles = this.#tiles[level] ??= new RecentlyUsed(CACHED_TILES);
    const known = tiles.get(index);
    if (known !== undefined) return await known;
    const tile = this.#readFull(level, index);
    tiles.set(index, tile);
    tile.catch(() => tiles.delete(index));
    return await tile;
  }

  #edge(level: number, index: number): Bytes {
    const edge = this.#edges[level];
    if (edge !== undefined) return edge;
    const path = pathOf({ level, index, width: partialWidth(level, this.size) });
    throw new UnverifiedData(this.#reading.source, `${path} is missing`, "missing", path);
  }

  async #readFull(level: number, index: number): Promise<Bytes> {
    const { source, mend } = this.#reading;
    const address = { level, index, width: TILE_WIDTH };
    const check = (nodes: Bytes) => this.#verify(source, address, nodes, pathOf(address));
    try {
      const nodes = await readNodes(this.#reading, address);
      await check(nodes);
      return nodes;
    } catch (error) {
      if (mend === undefined || !(error instanceof UnverifiedData)) throw error;
      return await mend(error, address, check);
    }
  }

  /** Compares `nodes` with the edge, or their root with its node in the tile above. */
  async #verify(
    source: NamedTiles,
    { level, index, width }: WalkedTile,
    nodes: Bytes,
    path: string,
  ): Promise<void> {
    let [found, required] = [nodes, undefined as Bytes | undefined];
    if (width === TILE_WIDTH) {
      const place = index % TILE_WIDTH;
      const above = await this.nodes(level + 1, Math.floor(index / TILE_WIDTH), place + 1);
      required = above.subarray(place * HASH_LENGTH);
      found = this.#reading.kernels.treeLevel(nodes, TILE_HEIGHT);
    } else required = this.#edge(level, index);
    if (equalBytes(found, required)) return;
    const reason = `${path} does not hash to the root of size ${this.size}`;
    throw new UnverifiedData(source, reason, "mismatch", path);
  }
}

/** The partial tile of each level of a tree of `size` leaves, lowest first; width 0 where none is. */
export function edgesOf(size: number): WalkedTile[] {
  const edges = [];
  for (let level = 0; size >= TILE_WIDTH ** level; level++) {
    const [index, width] = [fullTiles(level, size), partialWidth(level, size)];
    edges.push({ level, index, width });
  }
  return edges;
}

/** An entry bundle, not verified. */
export async function readEntries(
  reading: TreeReading,
  index: number,
  width: number,
): Promise<HashedEntries> {
  const address = { level: "entries", index, width } as const;
  const bundle = await requireTile(reading, address);
  const entries = splitEntries(bundle);
  if (entries?.length !== width) {
    const reason = `${pathOf(address)} does not have ${width} entries`;
    throw new UnverifiedData(reading.source, reason, "malformed", pathOf(address));
  }
  return { bundle, entries, leaves: entryLeaves(reading.kernels, entries) };
}

/** A tile, not verified. */
export async function readNodes(reading: TreeReading, address: WalkedTile): Promise<Bytes> {
  const nodes = await requireTile(reading, address);
  if (nodes.length === address.width * HASH_LENGTH) return nodes;
  const reason = `${pathOf(address)} has ${nodes.length} bytes`;
  throw new UnverifiedData(reading.source, reason, "malformed", pathOf(address));
}

async function requireTile({ source, signal }: TreeReading, address: TileAddress): Promise<Bytes> {
  const bytes = await readTile(source, address, signal);
  if (bytes !== undefined) return bytes;
  throw new UnverifiedData(source, `${pathOf(address)} is missing`, "missing", pathOf(address));
}

function pathOf({ level, index, width }: TileAddress): string {
  return tilePath(level, index, width);
}
