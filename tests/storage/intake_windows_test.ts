import assert from "node:assert/strict";
import fc from "fast-check";
import type { IntakeRow } from "../../src/proof/format/records.ts";
import { IntakeWindows, overlapping, WINDOW } from "../../src/storage/log/kv_rounds.ts";

/** Consecutive rows of these many digests. */
function rowsOf(sizes: readonly number[]): IntakeRow[] {
  let first = 0;
  return sizes.map((size) => {
    const row = { first, acceptedAt: first, digests: new Uint8Array(32 * size) };
    first += size;
    return row;
  });
}

Deno.test("IntakeWindows.rows() returns all rows of a range or none, while the log grows", () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 28 }), fc.constantFrom(1, 28)), {
    minLength: 1,
    maxLength: 60,
  });
  const reads = fc.array(fc.tuple(fc.nat(1_000), fc.integer({ min: 1, max: WINDOW + 3 })));
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 60 }), reads, (sizes, grownAt, reads) => {
      const windows = new IntakeWindows();
      const all = rowsOf(sizes);
      for (const rows of [all.slice(0, grownAt), all]) {
        for (const [start, length] of reads) {
          const end = start + length;
          for (let window = Math.floor(start / WINDOW); window * WINDOW < end; window++) {
            windows.add(window, rows);
          }
          const found = windows.rows(start, end);
          if (found !== undefined) assert.deepEqual(found, overlapping(all, start, end));
        }
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("IntakeWindows.add() caches only completely covered windows", () => {
  const windows = new IntakeWindows();
  const rows = rowsOf([28, 28, 28, 28, 15]);
  windows.add(0, rows);
  windows.add(1, rows);
  assert.deepEqual(windows.rows(0, 64), rows.slice(0, 3));
  assert.deepEqual(windows.rows(55, 57), rows.slice(1, 3));
  assert.equal(windows.rows(63, 65), undefined);
  windows.add(1, rowsOf([28, 28, 28, 28, 16]));
  assert.deepEqual(windows.rows(63, 65)?.map(({ first }) => first), [56]);
  assert.deepEqual(windows.rows(80, 90)?.map(({ first }) => first), [56, 84]);
  assert.equal(windows.rows(0, 65), undefined, "wider than a window");
  windows.add(2, rowsOf([28, 28, 28, 28, 16, 28]).slice(5));
  assert.equal(
    windows.rows(130, 131),
    undefined,
    "a window that begins in a row that is not there",
  );
});
