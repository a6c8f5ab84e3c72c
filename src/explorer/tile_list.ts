/**
 * The tiles (c2sp.org/tlog-tiles) of a log of a given size: for each level, the number of full
 * tiles and the width of the partial one.
 *
 * @module
 */

import { HASH_LENGTH } from "../base/bytes.ts";
import { fullTiles, partialWidth, TILE_WIDTH, tilePath } from "../proof/merkle/tile.ts";

/** The tiles of one level, or the entry bundles. */
export interface TileLevel {
  readonly level: number | "entries";
  /** Number of full tiles. */
  readonly full: number;
  /** Nodes or entries in the partial tile; 0 if there is none. */
  readonly partial: number;
  /** Leaves under one node, 256^level; 1 for entries. */
  readonly span: number;
}

/** One tile or entry bundle. */
export interface TileEntry {
  readonly index: number;
  readonly width: number;
  readonly isFull: boolean;
  /** Leaves [first, end) that it covers. */
  readonly first: number;
  readonly end: number;
  /** Size in bytes; absent for entry bundles, whose entries vary in length. */
  readonly bytes?: number;
  /** Path below the gateway, without a leading slash. */
  readonly path: string;
}

/** The entries, then every level with a node, lowest first; empty for an empty log. */
export function tileLevels(size: number): TileLevel[] {
  if (size === 0) return [];
  const levels: TileLevel[] = [levelOf("entries", size)];
  for (let level = 0; TILE_WIDTH ** level <= size; level++) levels.push(levelOf(level, size));
  return levels;
}

function levelOf(level: number | "entries", size: number): TileLevel {
  const height = level === "entries" ? 0 : level;
  return {
    level,
    full: fullTiles(height, size),
    partial: partialWidth(height, size),
    span: TILE_WIDTH ** height,
  };
}

/** Number of tiles of a level, including the partial one. */
export function tileCount({ full, partial }: TileLevel): number {
  return full + (partial > 0 ? 1 : 0);
}

/** At most `limit` tiles of a level, latest first, from `newest` down. */
export function tilesOf(level: TileLevel, newest: number, limit: number): TileEntry[] {
  const tiles: TileEntry[] = [];
  for (let index = newest; index >= 0 && tiles.length < limit; index--) {
    const width = index < level.full ? TILE_WIDTH : level.partial;
    const first = index * TILE_WIDTH * level.span;
    tiles.push({
      index,
      width,
      isFull: width === TILE_WIDTH,
      first,
      end: first + width * level.span,
      ...(level.level !== "entries" && { bytes: width * HASH_LENGTH }),
      path: tilePath(level.level, index, width),
    });
  }
  return tiles;
}
