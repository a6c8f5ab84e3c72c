/** Spent rows, checked against the intake rows. */

import assert from "node:assert/strict";
import { uint64 } from "../../../src/base/bytes.ts";
import { randomDigests } from "../../gateway/fixture.ts";
import { Spending } from "../../gateway/spending.ts";
import { publish, type Records, StoredCopy } from "./stored_copy.ts";

/** Rows of 28 and 2 digests with spent ids, one of 5 without, and rows of 28 and 12 with ids. */
function makeLog(): Promise<StoredCopy> {
  return StoredCopy.of("ed25519", async (gateway) => {
    for (const [count, spends] of [[30, true], [5, false], [40, true]] as const) {
      const admission = spends ? new Spending(randomDigests(count)) : undefined;
      await publish(gateway, randomDigests(count), admission);
    }
  }, { spendsTokens: true });
}

const HEADER = 12;

/** Changes to the records and the expected faults: `part place`. */
type Damage = readonly [
  what: string,
  faults: readonly string[],
  damage: (records: Records) => Promise<void>,
];

/** Makes the row of ids from `number` on name another intake row. */
function move(number: number, intakeRow: number): Damage[2] {
  return (records) => records.change(["sp", number], (row) => row.set(uint64(intakeRow)));
}

const DAMAGES: readonly Damage[] = [
  ["an id twice", ["spent 28"], async (r) => {
    const first = await r.bytes(["sp", 0]);
    await r.change(["sp", 28], (row) => row.set(first.slice(HEADER, HEADER + 32), HEADER));
  }],
  [
    "an id twice in one row",
    ["spent 33"],
    (r) => r.change(["sp", 30], (row) => void row.copyWithin(HEADER + 96, HEADER, HEADER + 32)),
  ],
  ["a row that is gone", ["spent 28"], (r) => r.remove(["sp", 28])],
  ["the first row that is gone", ["spent 0"], (r) => r.remove(["sp", 0])],
  ["half an id less", ["spent 28"], (r) => r.change(["sp", 28], (row) => row.slice(0, -16))],
  ["an id less", ["spent 28"], (r) => r.change(["sp", 28], (row) => row.slice(0, -32))],
  ["an id and its place less", ["spent 29"], (r) =>
    r.change(["sp", 28], (row) => {
      row[11] = 1;
      return row.slice(0, -32);
    })],
  [
    "a row without an id",
    ["spent 28"],
    (r) => r.change(["sp", 28], (row) => row.slice(0, HEADER).fill(0, 8)),
  ],
  ["a place that no row has", ["spent 28"], (r) => r.flip(["sp", 28], 8)],
  [
    "a place beyond the digests of its row",
    ["spent 28"],
    (r) => r.change(["sp", 28], (row) => void (row[11] = 0b101)),
  ],
  ["a value that is no bytes", ["spent 28"], (r) => r.set(["sp", 28], "text")],
  ["an intake row beyond 2^53", ["spent 28"], (r) => r.flip(["sp", 28], 0)],
  ["within an intake row", ["spent 28"], move(28, 29)],
  ["for the row of others", ["spent 28"], move(28, 0)],
  ["for a row beyond the next", ["spent 28"], move(28, 1000)],
  ["the last one for a row that is not there", ["spent 58"], move(58, 1000)],
  ["a row that overlaps", ["spent 58", "spent 40", "spent 41"], async (r) => {
    const row = await r.bytes(["sp", 58]);
    row.set(uint64(40));
    row.fill(9, HEADER);
    row[11] = 1;
    row[10] = 0;
    await r.set(["sp", 40], row.slice(0, HEADER + 32));
  }],
  ["the digests that it was spent for", ["row 28"], (r) => r.remove(["in", 28])],
  ["a key at no place", ["store keys"], (r) => r.set(["sp", 28.5], new Uint8Array(44))],
  ["a key without a number", ["store keys"], (r) => r.set(["sp", "first"], 1)],
  ["a key beside the index", ["store keys"], (r) => r.set(["sxe", 0], 1)],
  ["a run that is done before it is full", ["spent_index 0"], (r) => r.set(["sxd", 0], true)],
  [
    "a bucket of a run that is not full",
    ["spent_index 0"],
    (r) => r.set(["sx", 0, 5], new Uint8Array(8)),
  ],
];

Deno.test("auditStore() reports every kind of damage to spent rows", async (t) => {
  using copy = await makeLog();
  const { faults, report } = await copy.audit();
  assert.deepEqual(faults.listed, []);
  const { accepted, spent, spent_rows, spent_index_runs, not_compared } = report;
  assert.deepEqual({ accepted, spent, spent_rows, spent_index_runs, not_compared }, {
    accepted: 75,
    spent: 70,
    spent_rows: 4,
    spent_index_runs: 0,
    not_compared: [],
  });
  for (const [what, expected, damage] of DAMAGES) {
    await t.step(what, async () => {
      const { faults } = await copy.auditDamaged(damage);
      const found = faults.listed.map(({ part, place }) => `${part} ${place}`);
      assert.deepEqual(found, expected, JSON.stringify(faults.listed, undefined, 1));
    });
  }
  assert.deepEqual((await copy.audit()).faults.listed, []);
});
