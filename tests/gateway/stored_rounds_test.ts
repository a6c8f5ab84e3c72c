import assert from "node:assert/strict";
import { StoredRounds } from "../../src/gateway/proving/stored_rounds.ts";
import { round } from "../storage/log_records.ts";

const LEVELS = { levelsHex: [], upperPaths: [] };

Deno.test("StoredRounds bounds its rounds and drops the least recently used", () => {
  const rounds = new StoredRounds();
  rounds.add(round(0, 512));
  for (let i = 1; i < 6_000; i++) {
    rounds.add(round(i * 512, 512));
    assert.equal(rounds.find(100)?.record.first, 0, `after ${i}`);
  }
  assert.equal(rounds.find(513), undefined);
  let kept = 0;
  for (let i = 0; i < 6_000; i++) if (rounds.find(i * 512 + 511) !== undefined) kept++;
  assert.equal(kept, 4_096);
});

Deno.test("StoredRounds bounds the leaves of its trees", () => {
  const rounds = new StoredRounds();
  for (let i = 0; i < 300; i++) rounds.setTree(rounds.add(round(i * 512, 512)), LEVELS);
  let leaves = 0;
  for (let i = 0; i < 300; i++) leaves += rounds.find(i * 512)?.record.size ?? 0;
  assert.equal(leaves, 2 ** 17);
  // A dropped round accepts no tree and is not found.
  const forgotten = { record: round(0, 512), reads: 0 };
  rounds.setTree(forgotten, LEVELS);
  assert.equal(rounds.find(0), undefined);
  assert.ok(!("levels" in forgotten));
});

Deno.test("StoredRounds finds a round by each of its sequences only", () => {
  const rounds = new StoredRounds();
  const stored: readonly (readonly [first: number, size: number])[] = [
    [3, 10],
    [500, 512],
    [1_012, 1],
    [1_020, 4],
  ];
  for (const [first, size] of stored.toReversed()) rounds.add(round(first, size));
  for (let sequence = 0; sequence < 1_100; sequence++) {
    const expected = stored.find(([first, size]) => sequence >= first && sequence < first + size);
    assert.equal(rounds.find(sequence)?.record.first, expected?.[0], `${sequence}`);
  }
});

Deno.test("StoredRounds wants a tree once reads of subtrees have cost as much", () => {
  const rounds = new StoredRounds();
  for (const [size, reads] of [[1, 4], [128, 4], [160, 5], [512, 16]] as const) {
    const stored = rounds.add(round(size * 1_024, size));
    for (let i = 0; i < reads; i++) assert.equal(rounds.wantsTree(stored), false, `${size}: ${i}`);
    assert.equal(rounds.wantsTree(stored), true, `${size}`);
  }
});
