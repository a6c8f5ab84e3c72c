/**
 * Geometry of the tiles of c2sp.org/tlog-tiles, and the tree hash over them.
 *
 * Node i of tile-level L is the root of the leaves [i * 256^L, (i + 1) * 256^L); tile N of that level
 * holds the nodes [256 N, 256 (N + 1)). A node exists once all its leaves do. The *edges* of a tree are
 * its partial tiles, one per level, lowest first. The edges and the size are enough to grow the tree.
 *
 * @module
 */

import { type Bytes, concat } from "../../base/bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { emptyRoot, treeRoot } from "./tree.ts";

/** Tree levels per tile. */
export const TILE_HEIGHT = 8;

/** Nodes in a full tile. */
export const TILE_WIDTH = 256;

/** Tree levels below the upper nodes of a tile: each is over a group of 32 nodes of the tile. */
export const GROUP_HEIGHT = 5;

/** The highest tile-level that a path may name. */
const MAX_LEVEL = 63;

/** A tile or entry bundle, and its number of nodes or entries, 1 to 256. */
export interface TileAddress {
  readonly level: number | "entries";
  readonly index: number;
  readonly width: number;
}

/** A source of packed nodes. */
export interface NodeSource {
  /** Heights of its lowest tile-levels; all others have {@linkcode TILE_HEIGHT}. */
  readonly heights?: readonly number[];
  /** The first `width` nodes, packed, of tile `tile` of tile-level `level`. */
  nodes(level: number, tile: number, width: number): Promise<Uint8Array>;
}

/** `tile/<L>/<N>[.p/<W>]`, such as `tile/0/x001/x234/067.p/8`; `.p/<W>` unless the tile is full. */
export function tilePath(level: number | "entries", index: number, width: number): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, "0");
  const groups = padded.replace(/[0-9]{3}(?=[0-9])/g, "x$&/");
  const suffix = width === TILE_WIDTH ? "" : `.p/${width}`;
  return `tile/${level}/${groups}${suffix}`;
}

/** Parses a result of {@linkcode tilePath}; `undefined` for any other text. */
export function parseTilePath(path: string): TileAddress | undefined {
  const match = /^tile\/(entries|[0-9]{1,2})\/((?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/([0-9]{1,3}))?$/
    .exec(path);
  if (match === null) return undefined;
  const level = match[1] === "entries" ? "entries" : Number(match[1]);
  const index = Number(match[2]!.replace(/[x/]/g, ""));
  const width = match[3] === undefined ? TILE_WIDTH : Number(match[3]);
  if (level !== "entries" && level > MAX_LEVEL) return undefined;
  if (!Number.isSafeInteger(index) || width < 1 || width > TILE_WIDTH) return undefined;
  // Re-encoding catches leading zeros and a full tile written as a partial one.
  return tilePath(level, index, width) === path ? { level, index, width } : undefined;
}

/** The number of full tiles at `level` of a tree of `size` leaves. */
export function fullTiles(level: number, size: number): number {
  return Math.floor(size / TILE_WIDTH ** (level + 1));
}

/** The width of the partial tile at `level` of a tree of `size` leaves; 0 if there is none. */
export function partialWidth(level: number, size: number): number {
  return Math.floor(size / TILE_WIDTH ** level) % TILE_WIDTH;
}

/** The width of tile `index` at `level` of a tree of `size` leaves; 0 if there is none. */
export function tileWidth(level: number, index: number, size: number): number {
  const full = fullTiles(level, size);
  if (index < full) return TILE_WIDTH;
  return index === full ? partialWidth(level, size) : 0;
}

/** The root of the tree with these `edges`: each edge is hashed with the root to its right. */
export function rootOfEdges(kernels: Kernels, edges: readonly Uint8Array[]): Bytes {
  let right: Bytes | undefined;
  for (const edge of edges) {
    const row = right === undefined ? edge : concat(edge, right);
    if (row.length > 0) right = treeRoot(kernels, row);
  }
  return right ?? emptyRoot(kernels);
}
