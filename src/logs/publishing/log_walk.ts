/**
 * The walk over a log: every tile and entry bundle that a tree has and a smaller one has not, each once.
 * Copying and checking a log are two visits of it. A tile follows those that it covers, while they are
 * in the cache of {@linkcode VerifiedTree}.
 *
 * @module
 */

import {
  fullTiles,
  partialWidth,
  TILE_WIDTH,
  type TileAddress,
  tileWidth,
} from "../../proof/merkle/tile.ts";

/** A tile, by its level. At level 0 its entry bundle belongs to it. */
export type WalkedTile = TileAddress & { readonly level: number };

export interface LogWalk {
  /** Size of the smaller tree. */
  readonly from: number;
  /** Size of the tree. */
  readonly to: number;
  /** Tiles that are visited at once. With one lane, tiles of a level are visited from left to right. */
  readonly lanes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Calls `visit` with each tile. Rejects with its first error, after all calls ended. */
export async function walkLog(
  { from, to, lanes, signal }: LogWalk,
  visit: (tile: WalkedTile) => Promise<void>,
): Promise<void> {
  const tiles = newTiles(from, to);
  let failure: { readonly error: unknown } | undefined;
  const lane = async () => {
    while (failure === undefined) {
      const { value, done } = tiles.next();
      if (done) return;
      try {
        signal?.throwIfAborted();
        await visit(value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (failure !== undefined) throw failure.error;
}

/** The tiles that a tree of `to` leaves has, and a tree of `from` leaves has not. */
function* newTiles(from: number, to: number): Generator<WalkedTile, undefined> {
  for (let leafTile = fullTiles(0, from); leafTile < fullTiles(0, to); leafTile++) {
    let index = leafTile;
    yield { level: 0, index, width: TILE_WIDTH };
    for (let level = 1; index % TILE_WIDTH === TILE_WIDTH - 1; level++) {
      index = Math.floor(index / TILE_WIDTH);
      yield { level, index, width: TILE_WIDTH };
    }
  }
  for (let level = 0; to >= TILE_WIDTH ** level; level++) {
    const [index, width] = [fullTiles(level, to), partialWidth(level, to)];
    if (width !== 0 && width !== tileWidth(level, index, from)) yield { level, index, width };
  }
}
