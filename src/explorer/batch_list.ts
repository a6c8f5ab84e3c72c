/**
 * Batches as `GET /v1/batches` lists them, latest first, and the entries in one. What is listed is the
 * gateway's word: a batch is covered by the tree head that closes it, its first index and its times
 * are not (protocol.md "Resources").
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { BATCH, type Batch, readBatch } from "../format/bundle.ts";
import { Fields } from "../format/fields.ts";
import { type JsonValue, parseStrictJson } from "../format/strict_json.ts";
import { TILE_WIDTH, tilePath, tileWidth } from "../merkle/tile.ts";

const CODE = "malformed_bundle";

/** The batches of JSON `text`, ids descending and of one network; `malformed_bundle`. */
export function parseBatches(text: string): readonly Batch[] {
  const value = parseStrictJson(text, CODE);
  if (!Array.isArray(value)) throw malformed("a list");
  const batches = value.map((entry, i) => batchOf(entry, `batches[${i}]`));
  const isOrdered = batches.every((batch, i) => i === 0 || batch.id < batches[i - 1]!.id);
  if (!isOrdered) throw malformed("ids that descend");
  return batches;
}

/** The batch of JSON `text`; `malformed_bundle`. */
export function parseBatch(text: string): Batch {
  return batchOf(parseStrictJson(text, CODE), "batch");
}

/** What a gateway says of a batch has to agree with itself, or no part of it can be shown. */
function batchOf(value: JsonValue, where: string): Batch {
  const batch = readBatch(new Fields(value, { where, code: CODE }, BATCH));
  const { id, tree_size, first_index, attestation_count } = batch;
  if (id !== tree_size || attestation_count !== tree_size - first_index) {
    throw malformed("an id and a count that agree with the tree sizes");
  }
  return batch;
}

/** Older batches after `known`, which end where those begin: no gap and nothing twice. */
export function appendOlder(known: readonly Batch[], older: readonly Batch[]): readonly Batch[] {
  const last = known.at(-1)?.id ?? Infinity;
  return [...known, ...older.filter((batch) => batch.id < last)];
}

/** Newer batches in front of `known`; `undefined` where some between them are missing. */
export function prependNewer(
  known: readonly Batch[],
  newer: readonly Batch[],
): readonly Batch[] | undefined {
  const first = known[0]?.id ?? 0;
  const added = newer.filter((batch) => batch.id > first);
  const oldest = added.at(-1);
  if (oldest !== undefined && known.length > 0 && oldest.first_index !== first) return undefined;
  return [...added, ...known];
}

/** Part of an entry bundle: where to read it, and which of its entries are asked for. */
export interface EntryRange {
  /** Path below the gateway, without a leading slash. */
  readonly path: string;
  /** Entries in the answer. */
  readonly width: number;
  /** Index in the log of the first entry of the answer. */
  readonly base: number;
  readonly start: number;
  readonly end: number;
}

/** Where entries [start, end) of a log of `size` leaves are read, as few as it takes. */
export function entryRanges(start: number, end: number, size: number): EntryRange[] {
  const ranges: EntryRange[] = [];
  for (let from = start; from < end;) {
    const index = Math.floor(from / TILE_WIDTH);
    const base = index * TILE_WIDTH;
    const to = Math.min(end, base + TILE_WIDTH);
    // Entries before `from` come along; those after `to` need not.
    const width = Math.min(to - base, tileWidth(0, index, size));
    if (base + width < to) throw malformed("entries below the tree size");
    ranges.push({ path: tilePath("entries", index, width), width, base, start: from, end: to });
    from = to;
  }
  return ranges;
}

function malformed(required: string): CountersignError {
  return new CountersignError(CODE, `Cannot read batches: ${required} required, found otherwise`);
}
