import assert from "node:assert/strict";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { ConfirmedRounds, type RecentRound } from "../../src/gateway/proving/confirmed_rounds.ts";
import { buildRoundTree } from "../../src/proof/merkle/round_tree.ts";
import { round } from "../storage/log_records.ts";
import { randomDigests } from "./fixture.ts";

/** A round with the tree of random digests. */
function recent(first: number, size: number): RecentRound {
  const digests = randomDigests(size);
  const tree = buildRoundTree(kernels, { networkId: "a.example", timestamp: 1, first, digests });
  return { record: round(first, size), tree };
}

/** A round with an unused tree. */
function bare(first: number, size: number): RecentRound {
  const empty = new Uint8Array();
  return { record: round(first, size), tree: { leaves: empty, levels: [], root: empty } };
}

Deno.test("ConfirmedRounds tracks the confirmed prefix and rounds beyond a gap", () => {
  const rounds = new ConfirmedRounds(10, [{ first: 20, end: 25 }, { first: 12, end: 15 }]);
  const confirmed = () =>
    Array.from({ length: 40 }, (_, i) => i).filter((i) => rounds.isConfirmed(i));
  const range = (start: number, end: number) =>
    Array.from({ length: end - start }, (_, i) => start + i);
  assert.equal(rounds.end, 10);
  assert.deepEqual(confirmed(), [...range(0, 10), ...range(12, 15), ...range(20, 25)]);
  rounds.add(bare(15, 5));
  assert.equal(rounds.end, 10);
  assert.deepEqual(confirmed(), [...range(0, 10), ...range(12, 25)]);
  rounds.addStored(10, 12);
  assert.equal(rounds.end, 25);
  assert.deepEqual(confirmed(), range(0, 25));
  rounds.add(bare(25, 1));
  assert.equal(rounds.end, 26);
});

Deno.test("ConfirmedRounds begins with the rounds that follow the tree", () => {
  const signed = [{ first: 5, end: 8 }, { first: 8, end: 9 }, { first: 10, end: 11 }];
  const rounds = new ConfirmedRounds(5, signed);
  assert.equal(rounds.end, 9);
  assert.equal(new ConfirmedRounds(0, []).end, 0);
});

Deno.test("ConfirmedRounds finds recent rounds added in any order", () => {
  const rounds = new ConfirmedRounds(0, []);
  const made = [[0, 3], [10, 2], [3, 1], [4, 6], [12, 512]].map(([first, size]) =>
    recent(first!, size!)
  );
  for (const made_ of made) rounds.add(made_);
  assert.equal(rounds.end, 524);
  for (const { record } of made) {
    for (const sequence of [record.first, record.first + record.size - 1]) {
      assert.equal(rounds.find(sequence)?.record, record);
    }
  }
  assert.equal(rounds.find(524), undefined);
  const leaves = rounds.leaves(2, 13)!;
  assert.equal(leaves.length, 11 * 32);
  assert.deepEqual(leaves.slice(0, 32), made[0]!.tree.leaves.slice(64));
  assert.deepEqual(leaves.slice(32, 64), made[2]!.tree.leaves);
  assert.deepEqual(leaves.slice(-32), made[4]!.tree.leaves.slice(0, 32));
  assert.deepEqual(rounds.leaves(5, 5), new Uint8Array());
  assert.equal(rounds.leaves(2, 525), undefined);
});

Deno.test("ConfirmedRounds bounds its leaves and its rounds", () => {
  const byLeaves = new ConfirmedRounds(0, []);
  for (let first = 0; first < 300 * 512; first += 512) byLeaves.add(bare(first, 512));
  assert.equal(byLeaves.end, 300 * 512);
  assert.equal(byLeaves.find((300 - 256) * 512 - 1), undefined);
  assert.notEqual(byLeaves.find((300 - 256) * 512), undefined);
  assert.ok(byLeaves.isConfirmed(5));
  assert.equal(byLeaves.leaves(0, 512), undefined);

  const byRounds = new ConfirmedRounds(0, []);
  for (let first = 0; first < 5_000; first++) byRounds.add(bare(first, 1));
  assert.equal(byRounds.find(5_000 - 4_096 - 1), undefined);
  assert.notEqual(byRounds.find(5_000 - 4_096), undefined);
  assert.equal(byRounds.end, 5_000);
});

Deno.test("ConfirmedRounds.advanceTo() keeps the rounds in memory, and continues after the gap", () => {
  const rounds = new ConfirmedRounds(0, []);
  for (const first of [0, 20]) rounds.add(bare(first, 5));
  rounds.advanceTo(12, [{ first: 20, end: 25 }, { first: 30, end: 31 }]);
  assert.equal(rounds.end, 12);
  assert.deepEqual([11, 12, 19, 24, 25, 30].map((i) => rounds.isConfirmed(i)), [
    true,
    false,
    false,
    true,
    false,
    true,
  ]);
  assert.ok(rounds.find(3) !== undefined && rounds.find(7) === undefined);
  rounds.add(bare(12, 8));
  assert.equal(rounds.end, 25);
  rounds.addStored(25, 30);
  assert.equal(rounds.end, 31);
});

Deno.test("ConfirmedRounds joins the rounds beyond a gap, in any order", () => {
  const rounds = new ConfirmedRounds(0, []);
  const order = Array.from({ length: 500 }, (_, i) => 1 + (i * 7) % 500);
  for (const first of order) rounds.addStored(first, first + 1);
  rounds.addStored(600, 700);
  // Again, and a part of what is known.
  rounds.addStored(600, 650);
  assert.equal(rounds.end, 0);
  assert.deepEqual(rounds.beyond, [{ first: 1, end: 501 }, { first: 600, end: 700 }]);
  const last = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(rounds.gaps, [
    { first: 0, end: 1 },
    { first: 501, end: 600 },
    { first: 700, end: last },
  ]);
  const known = Array.from({ length: 300 }, (_, i) => ({ first: 50 + i, end: 51 + i }));
  const other = new ConfirmedRounds(50, []);
  other.advanceTo(20, known);
  assert.deepEqual(other.beyond, [{ first: 50, end: 350 }]);
  other.advanceTo(50, known);
  assert.equal(other.end, 350);
  assert.deepEqual(other.gaps, [{ first: 350, end: last }]);
  rounds.addStored(0, 1);
  assert.equal(rounds.end, 501);
});
