import assert from "node:assert/strict";
import fc from "fast-check";
import type { IntakeRow } from "../../src/proof/format/records.ts";
import {
  CACHED_READ,
  IntakeRows,
  KvRoundReads,
  overlapping,
} from "../../src/storage/log/kv_rounds.ts";
import { encodeIntakeRow } from "../../src/storage/log/record_codec.ts";
import type { StoreReads } from "../../src/storage/store_engine.ts";
import { Random } from "../random.ts";

/** Consecutive rows of these many digests. */
function rowsOf(sizes: readonly number[]): IntakeRow[] {
  let first = 0;
  return sizes.map((size) => {
    const row = { first, acceptedAt: first, digests: new Uint8Array(32 * size) };
    first += size;
    return row;
  });
}

Deno.test("IntakeRows.rows() returns all rows of a range or none, while the log grows", () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 28 }), fc.constantFrom(1, 28)), {
    minLength: 1,
    maxLength: 60,
  });
  const reads = fc.array(fc.tuple(fc.nat(1_000), fc.integer({ min: 1, max: CACHED_READ + 3 })));
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 60 }), reads, (sizes, grownAt, reads) => {
      const cached = new IntakeRows();
      const all = rowsOf(sizes);
      for (const rows of [all.slice(0, grownAt), all]) {
        for (const [start, length] of reads) {
          const end = start + length;
          cached.add(overlapping(rows, start - 31, end + 31));
          const found = cached.rows(start, end);
          const last = rows.at(-1)!;
          const isWhole = end <= last.first + last.digests.length / 32;
          assert.equal(found !== undefined, isWhole);
          if (found !== undefined) assert.deepEqual(found, overlapping(all, start, end));
        }
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("IntakeRows.rows() needs every row of the range", () => {
  const cached = new IntakeRows();
  const rows = rowsOf([28, 28, 28, 28, 15]);
  cached.add([rows[0]!, rows[1]!, rows[3]!]);
  assert.deepEqual(cached.rows(0, 56), rows.slice(0, 2));
  assert.deepEqual(cached.rows(27, 28), rows.slice(0, 1));
  assert.deepEqual(cached.rows(28, 29), rows.slice(1, 2));
  assert.equal(cached.rows(0, 57), undefined);
  assert.equal(cached.rows(83, 85), undefined);
  assert.deepEqual(cached.rows(84, 112), rows.slice(3, 4));
  assert.equal(cached.rows(112, 113), undefined);
  cached.add(rows);
  assert.deepEqual(cached.rows(0, 127), rows);
});

/** A store that has `rows` alone, and counts those that are read. */
function storeOf(rows: readonly IntakeRow[]): { reads: StoreReads; count: number } {
  const store = {
    count: 0,
    reads: {
      get: () => Promise.reject(new Error("no row is read alone")),
      async *list<T>(selector: Deno.KvListSelector, { limit, reverse }: Deno.KvListOptions = {}) {
        const { start, end } = selector as { start: Deno.KvKey; end: Deno.KvKey };
        const found = rows.filter(({ first }) =>
          first >= Number(start[1]) && first < Number(end[1])
        );
        for (const row of (reverse ? found.toReversed() : found).slice(0, limit)) {
          store.count++;
          yield { key: ["in", row.first], value: encodeIntakeRow(row) as T };
        }
      },
      close: () => {},
    },
  };
  return store;
}

Deno.test("KvRoundReads.rows() finds rows of all lengths, and reads few of one digest", async () => {
  const random = new Random(44);
  const sizes = Array.from(
    { length: 12_000 },
    (_, i) => Math.floor(i / 3_000) % 2 === 0 ? 1 : random.between(1, 28),
  );
  const rows = rowsOf(sizes);
  const last = rows.at(-1)!;
  const end = last.first + last.digests.length / 32;
  const { reads } = storeOf(rows);
  const everywhere = new KvRoundReads(reads);
  for (let i = 0; i < 300; i++) {
    const start = random.below(end);
    const stop = start + random.between(1, i % 3 === 0 ? 100 : 2);
    const found = await everywhere.rows(start, stop);
    assert.deepEqual(found.map(({ first }) => first), firstsIn(start, stop), `${start} to ${stop}`);
  }

  const counted = storeOf(rows);
  const short = new KvRoundReads(counted.reads);
  for (let i = 0; i < 100; i++) await short.rows(29 * i + 28, 29 * i + 29);
  assert.ok(counted.count < 300, `${counted.count} rows for 100 digests`);

  function firstsIn(start: number, stop: number): number[] {
    return overlapping(rows, start, stop).map(({ first }) => first);
  }
});
