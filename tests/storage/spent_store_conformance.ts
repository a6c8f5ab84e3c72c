/**
 * The part of the conformance suite of {@linkcode LogStore} for spent rows.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { LogStore } from "../../src/gateway/ports.ts";
import { round, row, spentRow } from "./log_records.ts";

/** Registers the suite with `test`, which must provide empty stores. */
export function testSpentStore(
  test: (what: string, run: (store: LogStore) => Promise<void>) => void,
): void {
  test("rounds.commit() stores spent rows together with intake rows", async (store) => {
    const { rounds, spent } = store;
    const first = [spentRow(0, 0, [0, 2]), spentRow(2, 3, [3])];
    assert.equal(await rounds.commit([row(0, 3), row(3, 4)], [], first), "stored");
    const second = [spentRow(3, 7, [0])];
    assert.equal(await rounds.commit([row(3, 4)], [], second), "conflict");
    assert.deepEqual(await spent.lastRow(), first[1]);
    assert.equal(await rounds.commit([row(7, 1)], [round(0, 3)], second), "stored");
    assert.equal(
      await rounds.commit([row(8, 1)], [round(0, 3)], [spentRow(4, 8, [0])]),
      "conflict",
    );
    assert.deepEqual(await spent.lastRow(), second[0]);
    assert.equal(await rounds.commit([row(8, 1)], []), "stored");
    assert.deepEqual(await spent.lastRow(), second[0]);
    assert.equal(await rounds.rowAt(9), undefined);
  });

  test("spent.rows() and spent.lastRow() find spent rows", async ({ rounds, spent }) => {
    const rows = [spentRow(0, 0, [0, 1, 2]), spentRow(3, 3, [1, 2, 3]), spentRow(6, 7, [0])];
    assert.equal(await rounds.commit([row(0, 3), row(3, 4), row(7, 1)], [], rows), "stored");
    assert.deepEqual(await spent.rows(0, 7), rows);
    assert.deepEqual(await spent.lastRow(), rows[2]);
    const overlapping = async (start: number, end: number) =>
      (await spent.rows(start, end)).map(({ first }) => first);
    assert.deepEqual(await overlapping(0, 2 ** 52), [0, 3, 6]);
    assert.deepEqual(await overlapping(0, 1), [0]);
    assert.deepEqual(await overlapping(2, 3), [0]);
    assert.deepEqual(await overlapping(2, 4), [0, 3]);
    assert.deepEqual(await overlapping(3, 6), [3]);
    assert.deepEqual(await overlapping(5, 7), [3, 6]);
    assert.deepEqual(await overlapping(7, 20), []);
    assert.deepEqual(await overlapping(4, 4), []);
  });

  test("spent copies buffers", async ({ rounds, spent }) => {
    const given = spentRow(0, 0, [0]);
    const committed = rounds.commit([row(0, 1)], [], [given]);
    given.ids.fill(9);
    await committed;
    (await spent.lastRow())!.ids.fill(8);
    assert.deepEqual(await spent.lastRow(), spentRow(0, 0, [0]));
  });

  test("rounds.commit() accepts a full commit with a spent id for each digest", async (store) => {
    const { rounds, spent } = store;
    const { digestsPerRow, spendingRowsPerCommit, roundsPerCommit } = rounds.limits;
    const places = Array.from({ length: digestsPerRow }, (_, place) => place);
    const starts = Array.from({ length: spendingRowsPerCommit }, (_, i) => i * digestsPerRow);
    const signatures = Array.from({ length: 230 }, (_, witness) => ({
      witness,
      signature: new Uint8Array(64),
    }));
    const full = Array.from({ length: roundsPerCommit }, (_, i) => ({
      ...round(512 * i, 512),
      signatures,
    }));
    const rows = starts.map((first) => row(first, digestsPerRow));
    const rowsSpent = starts.map((first) => spentRow(first, first, places));
    assert.equal(await rounds.commit(rows, full, rowsSpent), "stored");
    assert.equal((await spent.rows(0, 2 ** 30)).length, spendingRowsPerCommit);
    assert.deepEqual(await spent.lastRow(), rowsSpent.at(-1));
  });
}
