/**
 * Reads tiles and entry bundles. Every reader of a log uses it: a log may remove a partial tile or entry
 * bundle once the full one exists (c2sp.org/tlog-tiles), also while it is read.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../base/bytes.ts";
import { firstEntries } from "../proof/format/entry_bundle.ts";
import { TILE_WIDTH, type TileAddress } from "../proof/merkle/tile.ts";

export interface TileSource {
  /** The tile or entry bundle at exactly `address`; `undefined` if there is none. */
  tile(address: TileAddress, signal?: AbortSignal): Promise<Bytes | undefined>;
}

/**
 * The tile or entry bundle at `address`, from the full one if the partial one is gone; `undefined` if
 * there is neither. Not verified.
 */
export async function readTile(
  source: TileSource,
  address: TileAddress,
  signal?: AbortSignal,
): Promise<Bytes | undefined> {
  const exact = await source.tile(address, signal);
  const { level, index, width } = address;
  if (exact !== undefined || width === TILE_WIDTH) return exact;
  // In this order: the full tile is stored before the partial one is removed.
  const full = await source.tile({ level, index, width: TILE_WIDTH }, signal);
  if (full === undefined) return undefined;
  if (level === "entries") return firstEntries(full, width);
  return full.length < width * HASH_LENGTH ? undefined : full.slice(0, width * HASH_LENGTH);
}
