/**
 * Invented records of a log for tests of stores.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Bytes, HASH_LENGTH } from "../../src/base/bytes.ts";
import type {
  IndexedSignatureSet,
  IntakeRow,
  RoundRecord,
  SpentRow,
  SthRecord,
} from "../../src/proof/format/records.ts";
import type { HeadCommit, RoundStore } from "../../src/gateway/ports.ts";
import { fullTiles, partialWidth, TILE_WIDTH } from "../../src/proof/merkle/tile.ts";

/** A row of `count` unique digests. */
export function row(first: number, count: number): IntakeRow {
  const digests = new Uint8Array(count * HASH_LENGTH);
  for (let i = 0; i < count; i++) {
    new DataView(digests.buffer).setFloat64(i * HASH_LENGTH, first + i + 1);
  }
  return { first, acceptedAt: 1_800_000_000 + first, digests };
}

/** A spent row with unique ids for digests of the row at `intakeRow`. */
export function spentRow(first: number, intakeRow: number, offsets: readonly number[]): SpentRow {
  const ids = new Uint8Array(offsets.length * HASH_LENGTH);
  offsets.forEach((_, i) => new DataView(ids.buffer).setFloat64(i * HASH_LENGTH, -(first + i + 1)));
  return { first, intakeRow, offsets, ids };
}

/** A round with invented signatures. */
export function round(first: number, size: number): RoundRecord {
  return {
    first,
    size,
    timestamp: 1_800_000_001,
    attempts: 2,
    beacon: null,
    signatures: [0, 2].map((witness) => ({ witness, signature: new Uint8Array(64).fill(witness) })),
    upperNodes: new Uint8Array(Math.ceil(size / 32) * HASH_LENGTH).fill(7),
  };
}

/** A published head with invented signatures. */
export function sth(size: number): SthRecord {
  return {
    size,
    root: new Uint8Array(HASH_LENGTH).fill(size % 251),
    timestamp: 1_800_000_002,
    logSignature: new Uint8Array(64).fill(1),
    receiptSignature: new Uint8Array(64).fill(2),
    signatures: [1, 2].map((witness) => ({ witness, signature: new Uint8Array(64).fill(witness) })),
  };
}

/** An invented aggregate. */
export const AGGREGATE: IndexedSignatureSet = {
  witnesses: [0, 3, 17],
  signature: new Uint8Array(48).fill(5),
};

/** A tree of invented nodes, with only the last full tile of level 0. */
export function headCommit(replaces: string | null, size: number): HeadCommit {
  const fill = size % 251;
  const edges: Bytes[] = [];
  for (let level = 0; size >= TILE_WIDTH ** level; level++) {
    edges.push(new Uint8Array(partialWidth(level, size) * HASH_LENGTH).fill(fill));
  }
  const last = fullTiles(0, size) - 1;
  return {
    replaces,
    head: { size, root: new Uint8Array(HASH_LENGTH).fill(fill) },
    tiles: last < 0 ? [] : [tileOf(last, fill)],
    edges,
  };
}

export function tileOf(index: number, fill: number): HeadCommit["tiles"][number] {
  return {
    level: 0,
    index,
    hashes: new Uint8Array(TILE_WIDTH * HASH_LENGTH).fill(fill),
    upperNodes: new Uint8Array(8 * HASH_LENGTH).fill(fill + 1),
  };
}

/** Accepts digests from the end of the log up to `end`. */
export async function acceptUpTo(rounds: RoundStore, end: number): Promise<void> {
  const { digestsPerRow, intakeRowsPerCommit } = rounds.limits;
  const last = await rounds.lastRow();
  let next = last === undefined ? 0 : last.first + last.digests.length / HASH_LENGTH;
  while (next < end) {
    const rows: IntakeRow[] = [];
    while (next < end && rows.length < intakeRowsPerCommit) {
      rows.push(row(next, Math.min(digestsPerRow, end - next)));
      next += digestsPerRow;
    }
    assert.equal(await rounds.commit(rows, []), "stored");
  }
}
