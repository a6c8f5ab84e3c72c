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
import type { LogSource } from "./ports.ts";

/** Size and root of a verified head. */
export interface TreeRoot {
  readonly size: number;
  readonly root: Bytes;
}

/** An entry bundle, and the leaves that its entries hash to. */
export interface VerifiedEntries {
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
  /** Path below the log's URL; the right edge of the tree has none. */
  readonly path: string | undefined;

  constructor(
    { name }: LogSource,
    reason: string,
    fault: UnverifiedData["fault"],
    path?: string,
  ) {
    super("proof_refused", `Cannot use the log of ${name}: ${reason}`);
    this.fault = fault;
    this.path = path;
  }
}

/** Tiles in the cache: a walk from left to right uses one on each level. */
const CACHED_TILES = 32;

/** Methods reject with {@linkcode UnverifiedData} for data that do not match the head. */
export class VerifiedTree implements NodeSource {
  readonly size: number;
  readonly #kernels: Kernels;
  readonly #source: LogSource;
  readonly #signal: AbortSignal | undefined;
  /** The partial tile of each level, lowest first. */
  readonly #edges: readonly Bytes[];
  readonly #tiles = new RecentlyUsed<string, Promise<Bytes>>(CACHED_TILES);

  private constructor(
    parts: {
      readonly kernels: Kernels;
      readonly source: LogSource;
      readonly signal: AbortSignal | undefined;
    },
    size: number,
    edges: readonly Bytes[],
  ) {
    this.#kernels = parts.kernels;
    this.#source = parts.source;
    this.#signal = parts.signal;
    this.size = size;
    this.#edges = edges;
  }

  /** Reads the right edge of the tree, and checks that it hashes to the root. */
  static async open(
    kernels: Kernels,
    source: LogSource,
    { size, root }: TreeRoot,
    signal?: AbortSignal,
  ): Promise<VerifiedTree> {
    const edges = await Promise.all(
      edgesOf(size).map((edge) =>
        edge.width === 0 ? new Uint8Array() : readNodes(source, edge, signal)
      ),
    );
    if (!equalBytes(rootOfEdges(kernels, edges), root)) {
      const reason = `the tiles do not hash to the root of its checkpoint, size ${size}`;
      throw new UnverifiedData(source, reason, "mismatch");
    }
    return new VerifiedTree({ kernels, source, signal }, size, edges);
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
    return rootOfEdges(this.#kernels, edges);
  }

  /** The entries of tile `index`, from `source` if named, else from the source of the tiles. */
  async entries(index: number, source: LogSource = this.#source): Promise<VerifiedEntries> {
    const address = { level: "entries", index, width: tileWidth(0, index, this.size) } as const;
    const bundle = await requireTile(source, address, this.#signal);
    const entries = splitEntries(bundle);
    if (entries?.length !== address.width) {
      const reason = `${pathOf(address)} does not have ${address.width} entries`;
      throw new UnverifiedData(source, reason, "malformed", pathOf(address));
    }
    const leaves = entryLeaves(this.#kernels, entries);
    await this.#verify(source, { ...address, level: 0 }, leaves, pathOf(address));
    return { bundle, entries, leaves };
  }

  #tile(level: number, index: number): Promise<Bytes> {
    const full = fullTiles(level, this.size);
    if (index === full) return Promise.resolve(this.#edges[level] ?? new Uint8Array());
    const key = `${level}/${index}`;
    const known = this.#tiles.get(key);
    if (known !== undefined) return known;
    const tile = this.#readFull(level, index);
    this.#tiles.set(key, tile);
    tile.catch(() => this.#tiles.delete(key));
    return tile;
  }

  async #readFull(level: number, index: number): Promise<Bytes> {
    const address = { level, index, width: TILE_WIDTH };
    const nodes = await readNodes(this.#source, address, this.#signal);
    await this.#verify(this.#source, address, nodes, pathOf(address));
    return nodes;
  }

  /** Compares `nodes` with the edge, or their root with its node in the tile above. */
  async #verify(
    source: LogSource,
    { level, index, width }: TileAddress & { readonly level: number },
    nodes: Bytes,
    path: string,
  ): Promise<void> {
    let [found, required] = [nodes, this.#edges[level]];
    if (width === TILE_WIDTH) {
      const place = index % TILE_WIDTH;
      const above = await this.nodes(level + 1, Math.floor(index / TILE_WIDTH), place + 1);
      required = above.subarray(place * HASH_LENGTH);
      found = this.#kernels.treeLevel(nodes, TILE_HEIGHT);
    }
    if (required !== undefined && equalBytes(found, required)) return;
    const reason = `${path} does not hash to the root of size ${this.size}`;
    throw new UnverifiedData(source, reason, "mismatch", path);
  }
}

/** The partial tile of each level of a tree of `size` leaves, lowest first; width 0 where none is. */
function edgesOf(size: number): (TileAddress & { readonly level: number })[] {
  const edges = [];
  for (let level = 0; size >= TILE_WIDTH ** level; level++) {
    const [index, width] = [fullTiles(level, size), partialWidth(level, size)];
    edges.push({ level, index, width });
  }
  return edges;
}

async function readNodes(
  source: LogSource,
  address: TileAddress,
  signal: AbortSignal | undefined,
): Promise<Bytes> {
  const nodes = await requireTile(source, address, signal);
  if (nodes.length === address.width * HASH_LENGTH) return nodes;
  const reason = `${pathOf(address)} has ${nodes.length} bytes`;
  throw new UnverifiedData(source, reason, "malformed", pathOf(address));
}

async function requireTile(
  source: LogSource,
  address: TileAddress,
  signal: AbortSignal | undefined,
): Promise<Bytes> {
  const bytes = await readTile(source, address, signal);
  if (bytes !== undefined) return bytes;
  throw new UnverifiedData(source, `${pathOf(address)} is missing`, "missing", pathOf(address));
}

function pathOf({ level, index, width }: TileAddress): string {
  return tilePath(level, index, width);
}
