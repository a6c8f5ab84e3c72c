/**
 * The conformance suite for every {@linkcode LogStore}.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Bytes } from "../../src/base/bytes.ts";
import type { IndexStore, LogStore } from "../../src/gateway/ports.ts";
import { acceptUpTo, AGGREGATE, headCommit, round, row, sth, tileOf } from "./log_records.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { testSpentStore } from "./spent_store_conformance.ts";

/** A log that several processes may open. */
export interface TestedLog {
  /** Opens it as another process would. */
  open(): Promise<LogStore>;
  /** Removes the data. All stores are closed by then. */
  remove(): Promise<void>;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** First sequences of rows or rounds. */
function firsts(records: readonly { readonly first: number }[]): number[] {
  return records.map((record) => record.first);
}

type Scenario = (store: LogStore, log: TestedLog) => Promise<void>;

/** Registers the suite; every call of `make` must return an empty log. */
export function testLogStore(name: string, make: () => Promise<TestedLog>): void {
  const test = (what: string, run: Scenario) =>
    Deno.test(`${name} ${what}`, async () => {
      const log = await make();
      try {
        const store = await log.open();
        try {
          await store.takeFence();
          await run(store, log);
        } finally {
          store.close();
        }
      } finally {
        await log.remove();
      }
    });
  testRows(test);
  testRounds(test);
  testTree(test);
  testSths(test);
  testIndex(test, (store) => store.index, "the index of digests");
  testIndex(test, (store) => store.spentIndex, "the index of what was spent");
  testSpentStore(test);
  testSuccessions(test);
}

type Register = (what: string, run: Scenario) => void;

function testSuccessions(test: Register): void {
  const { links: [first, second] } = threeEpochs();
  const { end: _, ...document } = first;

  test("finds the successions and the links of its log", async ({ successions }) => {
    assert.deepEqual(await successions.links(), []);
    assert.equal(await successions.document(1), undefined);
    assert.equal(await successions.link(1), undefined);
    assert.equal(await successions.commitDocument(1, document), "stored");
    // Until the epoch ends, another succession may take the place of one that cannot be applied.
    const other = { ...document, tree_size: 6 };
    assert.equal(await successions.commitDocument(1, other), "stored");
    assert.deepEqual(await successions.document(1), other);
    assert.deepEqual(await successions.links(), []);
    assert.equal(await successions.commitLink(1, first), "stored");
    assert.equal(await successions.commitLink(2, second), "stored");
    assert.deepEqual(await successions.links(), [first, second]);
    assert.deepEqual(await successions.link(2), second);
    assert.equal(await successions.link(3), undefined);
    const late = { ...first, end: { ...first.end, timestamp: 1 } };
    assert.equal(await successions.commitLink(1, late), "conflict");
    assert.deepEqual(await successions.link(1), first);
  });

  test("finds the successions and the links of large networks", async ({ successions }) => {
    const signatures = {
      ...document.signatures,
      predecessor: Array.from({ length: 1_200 }, (_, i) => ({
        witness_id: `large.example/${String(i).padStart(4, "0")}`,
        signature: "ab".repeat(64),
      })),
    };
    const large = { ...document, signatures };
    assert.ok(JSON.stringify(large).length > 200_000);
    assert.equal(await successions.commitDocument(1, large), "stored");
    assert.deepEqual(await successions.document(1), large);
    assert.equal(await successions.commitDocument(1, document), "stored");
    assert.deepEqual(await successions.document(1), document);
    const largeLink = { ...first, signatures };
    assert.equal(await successions.commitLink(1, largeLink), "stored");
    assert.equal(await successions.commitLink(2, second), "stored");
    assert.deepEqual(await successions.link(1), largeLink);
    assert.deepEqual(await successions.links(), [largeLink, second]);
    assert.equal(await successions.commitLink(1, first), "conflict");
    assert.deepEqual(await successions.link(1), largeLink);
  });
}

function testRows(test: Register): void {
  test("is empty at first", async ({ rounds, tree, sths, index, spent, spentIndex }) => {
    assert.equal(await spent.lastRow(), undefined);
    assert.deepEqual(await spent.rows(0, 10), []);
    assert.equal(await spentIndex.runCount(), 0);
    assert.deepEqual(spentIndex.key, index.key);
    assert.equal(await rounds.lastRow(), undefined);
    assert.equal(await rounds.rowAt(0), undefined);
    assert.deepEqual(await rounds.rows(0, 10), []);
    assert.equal(await rounds.roundAt(0), undefined);
    assert.equal(await rounds.roundBefore(5), undefined);
    assert.deepEqual(await rounds.rounds(0, 10, 10), []);
    assert.equal(await tree.head(), undefined);
    assert.deepEqual(await tree.edges(), []);
    assert.equal(await tree.tile(0, 0), undefined);
    assert.equal(await sths.at(1), undefined);
    assert.equal(await sths.firstAbove(0), undefined);
    assert.deepEqual(await sths.below(10, 10), []);
    assert.equal(await index.runCount(), 0);
    assert.equal(await index.bucket(0, 0), undefined);
    assert.deepEqual(await collect(index.buckets(0)), []);
    assert.equal(index.key.length, 8);
  });

  test("rowAt(), rows() and lastRow() find rows", async ({ rounds }) => {
    const rows = [row(0, 3), row(3, 4), row(7, 1)];
    assert.equal(await rounds.commit(rows, []), "stored");
    assert.equal(await rounds.commit([row(8, 2)], []), "stored");
    for (const stored of rows) assert.deepEqual(await rounds.rowAt(stored.first), stored);
    assert.equal(await rounds.rowAt(1), undefined);
    assert.deepEqual(await rounds.lastRow(), row(8, 2));
    const overlapping = async (start: number, end: number) => firsts(await rounds.rows(start, end));
    assert.deepEqual(await overlapping(0, 10), [0, 3, 7, 8]);
    assert.deepEqual(await overlapping(0, 3), [0]);
    assert.deepEqual(await overlapping(2, 3), [0]);
    assert.deepEqual(await overlapping(2, 4), [0, 3]);
    assert.deepEqual(await overlapping(3, 7), [3]);
    assert.deepEqual(await overlapping(6, 8), [3, 7]);
    assert.deepEqual(await overlapping(9, 10), [8]);
    assert.deepEqual(await overlapping(9, 2 ** 52), [8]);
    assert.deepEqual(await overlapping(10, 20), []);
    assert.deepEqual(await overlapping(5, 5), []);
    assert.deepEqual((await rounds.rows(2, 4))[1], row(3, 4));
  });

  test("rounds.commit() stores rows once, and nothing in a conflict", async ({ rounds }) => {
    assert.equal(await rounds.commit([row(0, 3)], []), "stored");
    assert.equal(await rounds.commit([{ ...row(0, 3), acceptedAt: 5 }], []), "conflict");
    assert.equal(await rounds.commit([row(0, 3), row(3, 1)], [round(0, 1)]), "conflict");
    assert.deepEqual(await rounds.rows(0, 10), [row(0, 3)]);
    assert.equal(await rounds.roundAt(0), undefined);
  });

  test("rounds copies buffers", async ({ rounds }) => {
    const given = row(0, 2);
    const committed = rounds.commit([given], []);
    given.digests.fill(9);
    await committed;
    (await rounds.rowAt(0))!.digests.fill(8);
    assert.deepEqual(await rounds.rowAt(0), row(0, 2));
  });

  test("commits accept as many records as the limits allow", async ({ rounds, tree, index }) => {
    const { digestsPerRow, intakeRowsPerCommit, roundsPerCommit } = rounds.limits;
    const rows = Array.from(
      { length: intakeRowsPerCommit },
      (_, i) => row(i * digestsPerRow, digestsPerRow),
    );
    const signatures = Array.from({ length: 230 }, (_, witness) => ({
      witness,
      signature: new Uint8Array(64),
    }));
    const full = Array.from({ length: roundsPerCommit }, (_, i) => ({
      ...round(512 * i, 512),
      signatures,
    }));
    assert.equal(await rounds.commit(rows, full), "stored");
    assert.equal((await rounds.rows(0, 2 ** 30)).length, intakeRowsPerCommit);
    assert.deepEqual(await rounds.roundAt(0), full[0]);
    // More than the largest batch fills.
    const tiles = Array.from({ length: 80 }, (_, i) => tileOf(i, 1));
    // Every edge at its maximum width.
    const widest = headCommit(null, 2 ** 53 - 1);
    assert.equal(await tree.commit({ ...widest, tiles }), "stored");
    const buckets = Array.from({ length: rounds.limits.indexRowsPerCommit }, (_, bucket) => ({
      bucket,
      entries: new Uint8Array(8 * 128),
    }));
    assert.equal(await index.commitRows(0, buckets, true), "stored");
  });
}

function testRounds(test: Register): void {
  test("roundAt(), roundBefore() and rounds() find rounds", async ({ rounds }) => {
    assert.equal(await rounds.commit([row(0, 3)], [round(0, 1), round(1, 2)]), "stored");
    await acceptUpTo(rounds, 711);
    assert.equal(await rounds.commit([], [round(3, 100)]), "stored");
    assert.equal(await rounds.commit([row(711, 1)], [round(200, 512)]), "stored");
    for (const [first, size] of [[0, 1], [1, 2], [3, 100], [200, 512]] as const) {
      assert.deepEqual(await rounds.roundAt(first), round(first, size));
    }
    assert.equal(await rounds.roundAt(2), undefined);
    const before = async (sequence: number) => (await rounds.roundBefore(sequence))?.first;
    assert.equal(await before(0), 0);
    assert.equal(await before(2), 1);
    assert.equal(await before(3), 3);
    assert.equal(await before(199), 3);
    assert.equal(await before(2 ** 52), 200);
    const inRange = async (start: number, end: number, limit: number) =>
      firsts(await rounds.rounds(start, end, limit));
    assert.deepEqual(await inRange(0, 201, 10), [0, 1, 3, 200]);
    assert.deepEqual(await inRange(0, 201, 2), [0, 1]);
    assert.deepEqual(await inRange(2, 200, 10), [3]);
    assert.deepEqual(await inRange(1, 2, 10), [1]);
    assert.deepEqual(await inRange(5, 5, 10), []);
    assert.deepEqual(await inRange(6, 5, 10), []);
  });

  test("rounds.commit() stores a round once, and nothing in a conflict", async ({ rounds }) => {
    await acceptUpTo(rounds, 10);
    assert.equal(await rounds.commit([], [round(5, 5)]), "stored");
    assert.equal(await rounds.commit([], [{ ...round(5, 5), timestamp: 1 }]), "conflict");
    assert.equal(await rounds.commit([row(10, 3)], [round(0, 5), round(5, 5)]), "conflict");
    assert.deepEqual(await rounds.roundAt(5), round(5, 5));
    assert.equal(await rounds.roundAt(0), undefined);
    assert.equal(await rounds.rowAt(10), undefined);
  });

  test("stores both forms of signature sets", async ({ rounds, tree, sths }) => {
    await acceptUpTo(rounds, 4);
    const records = [round(0, 2), { ...round(2, 2), signatures: AGGREGATE, attempts: 2 ** 32 - 1 }];
    assert.equal(await rounds.commit([], records), "stored");
    assert.deepEqual(await rounds.rounds(0, 4, 10), records);
    assert.equal(await tree.commit(headCommit(null, 4)), "stored");
    const head = { ...sth(4), signatures: AGGREGATE };
    assert.equal(await sths.commit(head), "stored");
    assert.deepEqual(await sths.at(4), head);
  });

  test("one of many concurrent commits succeeds", async ({ rounds, tree, sths }) => {
    const winnerOf = async <T>(candidates: readonly T[], commit: (item: T) => Promise<string>) => {
      const outcomes = await Promise.all(candidates.map(commit));
      assert.equal(outcomes.filter((outcome) => outcome === "stored").length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === "conflict").length, 7);
      return candidates[outcomes.indexOf("stored")]!;
    };
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
    const rows = numbers.map((acceptedAt) => ({ ...row(0, 3), acceptedAt }));
    const accepted = await winnerOf(rows, (item) => rounds.commit([item], []));
    assert.deepEqual(await rounds.rows(0, 10), [accepted]);
    const records = numbers.map((timestamp) => ({ ...round(0, 3), timestamp }));
    const signed = await winnerOf(records, (item) => rounds.commit([], [item]));
    assert.deepEqual(await rounds.roundAt(0), signed);
    const heads = numbers.map((size) => headCommit(null, size));
    const grown = await winnerOf(heads, (item) => tree.commit(item));
    assert.deepEqual((await tree.head())?.head, grown.head);
    assert.deepEqual(await tree.edges(), grown.edges);
    const published = numbers.map((timestamp) => ({ ...sth(grown.head.size), timestamp }));
    const first = await winnerOf(published, (item) => sths.commit(item));
    assert.deepEqual(await sths.at(grown.head.size), first);
  });

  test("rejects after close()", async (_store, log) => {
    const store = await log.open();
    await store.takeFence();
    store.close();
    await assert.rejects(store.rounds.commit([row(0, 3)], []));
    await assert.rejects(store.tree.commit(headCommit(null, 1)));
    await assert.rejects(store.sths.commit(sth(1)));
    await assert.rejects(store.sths.replace(sth(1), sth(1)));
    await assert.rejects(
      store.index.commitRows(0, [{ bucket: 0, entries: row(0, 1).digests }], true),
    );
    await assert.rejects(store.rounds.lastRow());
    await assert.rejects(store.tree.head());
    await assert.rejects(store.sths.at(1));
    await assert.rejects(store.index.bucket(0, 0));
  });
}

function testTree(test: Register): void {
  test("tree.commit() replaces the head only from the version that was read", async ({ tree }) => {
    assert.equal(await tree.commit(headCommit("00000000000000000001", 1)), "conflict");
    assert.equal(await tree.head(), undefined);
    assert.equal(await tree.commit(headCommit(null, 300)), "stored");
    assert.equal(await tree.commit(headCommit(null, 301)), "conflict");
    const first = (await tree.head())!;
    assert.deepEqual(first.head, headCommit(null, 300).head);
    assert.deepEqual(await tree.edges(), headCommit(null, 300).edges);
    assert.equal(await tree.commit(headCommit(first.version, 2 ** 40)), "stored");
    const second = (await tree.head())!;
    assert.notEqual(second.version, first.version);
    assert.equal(await tree.commit(headCommit(first.version, 2 ** 41)), "conflict");
    assert.deepEqual(await tree.head(), second);
    assert.deepEqual(second.head, headCommit(null, 2 ** 40).head);
    assert.deepEqual(await tree.edges(), headCommit(null, 2 ** 40).edges);
    assert.deepEqual(await tree.tile(0, 0), tileOf(0, 300 % 251).hashes);
    assert.deepEqual(await tree.tile(0, 2 ** 32 - 1), tileOf(0, 2 ** 40 % 251).hashes);
    assert.equal(await tree.tile(1, 0), undefined);
    assert.equal(await tree.tile(0, 2 ** 33 - 1), undefined);
    assert.deepEqual(await tree.upperNodes(2 ** 32 - 1), tileOf(0, 2 ** 40 % 251).upperNodes);
    assert.equal(await tree.upperNodes(2 ** 33 - 1), undefined);
  });
}

function testSths(test: Register): void {
  test("at(), firstAbove() and below() find published heads", async ({ sths }) => {
    for (const size of [1, 20, 300]) assert.equal(await sths.commit(sth(size)), "stored");
    assert.deepEqual(await sths.at(20), sth(20));
    assert.equal(await sths.at(21), undefined);
    const above = async (size: number) => (await sths.firstAbove(size))?.size;
    assert.equal(await above(0), 1);
    assert.equal(await above(1), 20);
    assert.equal(await above(299), 300);
    assert.equal(await above(300), undefined);
    const below = async (before: number, limit: number) =>
      (await sths.below(before, limit)).map(({ size }) => size);
    assert.deepEqual(await below(Number.MAX_SAFE_INTEGER, 10), [300, 20, 1]);
    assert.deepEqual(await below(300, 10), [20, 1]);
    assert.deepEqual(await below(301, 1), [300]);
    assert.deepEqual(await below(1, 10), []);
    assert.deepEqual(await below(0, 10), []);
  });

  test("sths.commit() keeps the first head of a size", async ({ sths }) => {
    assert.equal(await sths.commit(sth(7)), "stored");
    assert.equal(await sths.commit({ ...sth(7), timestamp: 1 }), "conflict");
    assert.deepEqual(await sths.at(7), sth(7));
  });

  test("sths.replace() replaces exactly the head that is stored", async ({ sths }) => {
    const signatures = [...sth(7).signatures as [], {
      witness: 9,
      signature: new Uint8Array(64).fill(9),
    }];
    const [few, many] = [sth(7), { ...sth(7), signatures }];
    assert.equal(await sths.replace(few, many), "conflict");
    assert.equal(await sths.at(7), undefined);
    assert.equal(await sths.commit(few), "stored");
    for (
      const other of [{ ...few, timestamp: 1 }, {
        ...few,
        root: few.root.map((byte) => byte ^ 1),
      }, many]
    ) {
      assert.equal(await sths.replace(other, many), "conflict");
    }
    assert.deepEqual(await sths.at(7), few);
    const outcomes = await Promise.all([1, 2, 3].map(() => sths.replace(few, many)));
    assert.deepEqual(outcomes.toSorted(), ["conflict", "conflict", "stored"]);
    assert.deepEqual(await sths.at(7), many);
    assert.deepEqual(await sths.below(100, 10), [many]);
    assert.equal(await sths.replace(few, few), "conflict");
  });
}

function testIndex(
  test: Register,
  indexOf: (store: LogStore) => IndexStore,
  name: string,
): void {
  test(`${name} stores buckets by run, and counts completed runs`, async (store) => {
    const index = indexOf(store);
    const entries = (value: number): Bytes => new Uint8Array(16).fill(value);
    const buckets = [0, 9, 300, 16_383].map((bucket) => ({
      bucket,
      entries: entries(bucket % 256),
    }));
    assert.equal(await index.commitRows(0, buckets.slice(2), false), "stored");
    assert.equal(await index.commitRows(0, buckets.slice(0, 2), false), "stored");
    assert.equal(await index.runCount(), 0);
    // A run is a function of the log, so writing it again is not a conflict.
    assert.equal(await index.commitRows(0, buckets.slice(0, 2), true), "stored");
    assert.equal(await index.runCount(), 1);
    assert.deepEqual(await collect(index.buckets(0)), buckets);
    assert.deepEqual(await index.bucket(0, 300), entries(300 % 256));
    assert.equal(await index.bucket(0, 301), undefined);
    assert.deepEqual(await collect(index.buckets(1)), []);
    assert.equal(await index.commitRows(1, [{ bucket: 9, entries: entries(1) }], true), "stored");
    assert.equal(await index.runCount(), 2);
    assert.deepEqual(await index.bucket(0, 9), entries(9));
    assert.deepEqual(await index.bucket(1, 9), entries(1));
  });
}
