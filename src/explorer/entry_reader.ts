/**
 * Reads attestations of the log by their place, from its entry bundles.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { Attestation } from "../format/attestation.ts";
import type { Batch } from "../format/bundle.ts";
import { splitEntryBundle } from "../format/entry_bundle.ts";
import type { Api } from "./api.ts";
import { type EntryRange, entryRanges } from "./batch_list.ts";
import type { CryptoLoader } from "./verifier.ts";
import { type BatchWait, waitOf } from "./growth_series.ts";

/** What entries are read with. */
export interface EntrySource {
  readonly api: Pick<Api, "bytes">;
  readonly crypto: Pick<CryptoLoader, "crypto">;
}

/**
 * The attestations of sequences [start, end) in a log of `size` leaves of network `networkId`. What
 * stands at another place than its own, or is of another network, is refused.
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
  { api, crypto }: EntrySource,
  { path, width, base, start, end }: EntryRange,
  networkId: string,
  signal: AbortSignal,
): Promise<readonly Attestation[]> {
  const bytes = await api.bytes({ what: "entries", path }, signal);
  const { kernels } = await crypto.crypto();
  const found = splitEntryBundle(kernels, bytes, width)?.attestations ?? [];
  return Array.from({ length: end - start }, (_, i) => {
    const attestation = found[start - base + i];
    if (attestation?.sequence === start + i && attestation.network_id === networkId) {
      return attestation;
    }
    throw new CountersignError(
      "malformed_bundle",
      `Cannot read entries: the attestation of sequence ${start + i} required, found another`,
    );
  });
}

/** How long the first attestation of `batch` waited. */
export async function readWait(
  source: EntrySource,
  batch: Batch,
  signal: AbortSignal,
): Promise<BatchWait> {
  const { first_index: start, tree_size: size, network_id: networkId } = batch;
  const place = { start, end: start + 1, size, networkId };
  const [first] = await readEntries(source, place, signal);
  return waitOf(batch, first!.timestamp);
}
