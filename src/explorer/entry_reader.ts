/**
 * Reads attestations of the log by sequence, from its entry bundles.
 *
 * @module
 */

import type { GatewayClient } from "../client/gateway_client.ts";
import { errorBuilder } from "../base/errors.ts";
import type { Attestation } from "../proof/format/attestation.ts";
import type { Batch } from "../proof/format/bundle.ts";
import { attestationIn, splitEntries } from "../proof/format/entry_bundle.ts";
import { TILE_WIDTH, tileWidth } from "../proof/merkle/tile.ts";
import { type BatchWait, waitOf } from "./growth_series.ts";

const malformed = errorBuilder("malformed_bundle", "Cannot read entries");

export interface EntrySource {
  readonly api: Pick<GatewayClient, "tile">;
}

/**
 * The attestations of sequences [start, end) in a log of `size` leaves of network `networkId`. Rejects
 * with `malformed_bundle` if an entry has another sequence or another network.
 */
export async function readEntries(
  source: EntrySource,
  { start, end, size, networkId }: {
    readonly start: number;
    readonly end: number;
    readonly size: number;
    readonly networkId: string;
  },
  signal: AbortSignal,
): Promise<readonly Attestation[]> {
  const parts: (readonly Attestation[])[] = [];
  for (const range of entryRanges(start, end, size)) {
    parts.push(await readRange(source, range, networkId, signal));
  }
  return parts.flat();
}

async function readRange(
  { api }: EntrySource,
  { index, width, base, start, end }: EntryRange,
  networkId: string,
  signal: AbortSignal,
): Promise<readonly Attestation[]> {
  const bytes = await api.tile("entries", index, width, signal);
  const entries = splitEntries(bytes);
  const found = entries?.length === width ? entries : [];
  return Array.from({ length: end - start }, (_, i) => {
    const entry = found[start - base + i];
    const attestation = entry && attestationIn(entry);
    if (attestation?.sequence === start + i && attestation.network_id === networkId) {
      return attestation;
    }
    throw malformed(`entry ${start + i} is not the attestation with this sequence`);
  });
}

/** Entries [start, end) of the log, within one entry bundle. */
export interface EntryRange {
  /** Index of the bundle. */
  readonly index: number;
  readonly width: number;
  /** Index in the log of the bundle's first entry. */
  readonly base: number;
  readonly start: number;
  readonly end: number;
}

/** The bundles with entries [start, end) of a log of `size` leaves, no wider than needed. */
export function entryRanges(start: number, end: number, size: number): EntryRange[] {
  const ranges: EntryRange[] = [];
  for (let from = start; from < end;) {
    const index = Math.floor(from / TILE_WIDTH);
    const base = index * TILE_WIDTH;
    const to = Math.min(end, base + TILE_WIDTH);
    const width = Math.min(to - base, tileWidth(0, index, size));
    if (base + width < to) throw malformed("the log has fewer entries");
    ranges.push({ index, width, base, start: from, end: to });
    from = to;
  }
  return ranges;
}

/** How long the first attestation of `batch` waited. */
export async function readWait(
  source: EntrySource,
  batch: Batch,
  signal: AbortSignal,
): Promise<BatchWait> {
  const { first_index: start, tree_size: size, network_id: networkId } = batch;
  const [first] = await readEntries(source, { start, end: start + 1, size, networkId }, signal);
  return waitOf(batch, first!.timestamp);
}
