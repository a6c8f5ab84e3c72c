import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import type { SthRecord } from "../../src/proof/format/records.ts";
import { HeadPublisher } from "../../src/gateway/sequencing/head_publisher.ts";
import { PublishedHeads } from "../../src/gateway/sequencing/published_heads.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { FakeClock } from "../fake_clock.ts";
import { sth } from "../storage/log_records.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";

async function makeHeads(sizes: readonly number[] = []) {
  const log = new MemoryLog();
  for (const size of sizes) log.sths.set(size, sth(size));
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const clock = new FakeClock();
  const checked: number[] = [];
  // The heads have dummy signatures; a head with time 0 counts as damaged.
  const head = ({ size, timestamp }: SthRecord) => {
    checked.push(size);
    return timestamp > 0
      ? Promise.resolve()
      : Promise.reject(new CountersignError("store_corrupt", `Cannot use tree head ${size}`));
  };
  const check = { head, checkpoint: head };
  const open = () => PublishedHeads.open(store.sths, check);
  const heads = await open();
  const writes = new StoreWrites(clock);
  const publisher = new HeadPublisher({ store: store.sths, writes, heads, check });
  return { log, store, clock, checked, check, open, heads, publisher };
}

/** Compares every look-up with its definition over all published sizes. */
async function checkLookUps(heads: PublishedHeads, sizes: readonly number[]): Promise<void> {
  const last = sizes.at(-1) ?? 0;
  assert.equal(heads.size, last);
  assert.equal(heads.latest?.size, sizes.at(-1));
  for (let probe = 0; probe <= last + 2; probe++) {
    assert.equal((await heads.at(probe))?.size, sizes.find((size) => size === probe), `${probe}`);
    const closing = await heads.closing(probe);
    assert.equal(closing?.size, sizes.find((size) => size > probe), `${probe}`);
    const previous = await heads.previous(probe);
    assert.equal(previous?.size, sizes.findLast((size) => size < probe), `${probe}`);
  }
}

Deno.test("PublishedHeads finds heads in memory and in the store", async () => {
  for (const sizes of [[], [1], [3], [1, 2], [2, 5], [1, 2, 3, 9], [4, 6, 7, 20]]) {
    const { heads, publisher } = await makeHeads(sizes);
    await checkLookUps(heads, sizes);
    const grown = [...sizes];
    for (const growth of [1, 3, 1]) {
      grown.push((grown.at(-1) ?? 0) + growth);
      assert.deepEqual(await publisher.publish(sth(grown.at(-1)!)), sth(grown.at(-1)!));
      await checkLookUps(heads, grown);
    }
    const below = await heads.below(Number.MAX_SAFE_INTEGER, 100);
    assert.deepEqual(below.map(({ size }) => size), grown.toReversed());
  }
});

Deno.test("PublishedHeads finds recent heads in memory, and old ones in the store", async () => {
  const { heads, publisher, store } = await makeHeads();
  const sizes = Array.from({ length: 8_200 }, (_, i) => 2 * (i + 1));
  for (const size of sizes) await publisher.publish(sth(size));
  const { operations } = store;
  for (const size of [16_400, 16_398, 9_000]) {
    const found = heads.at(size);
    assert.ok(!(found instanceof Promise));
    assert.equal(found?.size, size);
  }
  assert.equal(await heads.previous(9_000), heads.at(8_998));
  assert.equal(store.operations, operations);
  for (const size of [2, 4, 5_000, 8_190]) {
    assert.equal((await heads.at(size))?.size, size);
    assert.equal(await heads.at(size + 1), undefined);
    assert.equal((await heads.closing(size - 1))?.size, size);
    assert.equal((await heads.closing(size))?.size, size + 2);
    assert.equal((await heads.previous(size + 2))?.size, size);
  }
  assert.ok(store.operations > operations);
});

Deno.test("PublishedHeads does not read the store for sizes before the first head", async () => {
  const { heads, publisher, store } = await makeHeads();
  await publisher.publish(sth(5));
  await publisher.publish(sth(9));
  const { operations } = store;
  assert.equal((await heads.closing(0))?.size, 5);
  assert.equal(await heads.at(3), undefined);
  assert.equal(await heads.previous(5), undefined);
  assert.equal(store.operations, operations);
});

Deno.test("PublishedHeads adopts the first head of a size, and rejects another root", async () => {
  const { heads, publisher, log } = await makeHeads();
  const first = { ...sth(5), timestamp: 17 };
  log.sths.set(5, first);
  assert.deepEqual(await publisher.publish(sth(5)), first);
  assert.deepEqual(await heads.at(5), first);
  assert.deepEqual(heads.latest, first);
  log.sths.set(6, { ...sth(6), root: new Uint8Array(32).fill(99) });
  await assert.rejects(publisher.publish(sth(6)), { code: "store_corrupt" });
  assert.equal(heads.size, 5);
});

Deno.test("PublishedHeads publishes a head after a failed commit, stored or not", async () => {
  for (const fault of ["fail_not_stored", "fail_but_stored"] as const) {
    const { heads, publisher, store, clock } = await makeHeads();
    let isFirst = true;
    store.fault = (kind) => {
      const fails = kind === "sth" && isFirst;
      isFirst &&= !fails;
      return fails ? fault : undefined;
    };
    const published = publisher.publish(sth(3));
    await clock.advance(100);
    assert.deepEqual(await published, sth(3));
    assert.deepEqual(await heads.at(3), sth(3));
  }
});

Deno.test("only the latest head is verified at the start", async () => {
  const { heads, log, open, checked } = await makeHeads([1, 2, 3]);
  for (const size of [1, 2, 3]) assert.equal((await heads.at(size))?.size, size);
  await heads.below(10, 10);
  assert.deepEqual(checked, [3]);
  log.sths.set(3, { ...sth(3), timestamp: 0 });
  await assert.rejects(open(), { code: "store_corrupt" }, "the gateway goes on from the latest");
});

Deno.test("a head that does not decode fails its reads, not the start", async () => {
  const { store } = await makeHeads([1, 2, 3, 4]);
  const damaged = () => Promise.reject(new CountersignError("store_corrupt", "Cannot read"));
  const sths = {
    at: (size: number) => size === 2 ? damaged() : store.sths.at(size),
    firstAbove: (size: number) => size === 1 ? damaged() : store.sths.firstAbove(size),
    below: (before: number, limit: number) =>
      limit > 2 ? damaged() : store.sths.below(before, limit),
  };
  const check = { checkpoint: () => Promise.resolve() };
  const heads = await PublishedHeads.open(sths, check);
  assert.equal(heads.size, 4);
  assert.equal((await heads.at(1))?.size, 1);
  await assert.rejects(async () => await heads.at(2), { code: "store_corrupt" });
});

Deno.test("PublishedHeads.advanceTo() and load() skip no head", async () => {
  const { store, log } = await makeHeads([2, 5, 6]);
  const heads = new PublishedHeads(store.sths, sth(6));
  await checkLookUps(heads, [2, 5, 6]);
  for (const size of [9, 12, 20]) log.sths.set(size, sth(size));
  await checkLookUps(heads, [2, 5, 6]);
  assert.deepEqual((await heads.below(100, 1)).map(({ size }) => size), [6]);
  heads.advanceTo(sth(20));
  heads.advanceTo(sth(12));
  await checkLookUps(heads, [2, 5, 6, 9, 12, 20]);
  const loading = heads.load();
  heads.add(sth(21));
  await loading;
  await checkLookUps(heads, [2, 5, 6, 9, 12, 20, 21]);
  const { operations } = store;
  await heads.closing(0);
  await heads.previous(2);
  assert.equal(store.operations, operations, "all heads are in memory");
});

Deno.test("PublishedHeads.advanceTo() keeps no head that may have got signatures", async () => {
  const { store, log } = await makeHeads([2, 5, 6]);
  const heads = new PublishedHeads(store.sths, sth(6));
  await checkLookUps(heads, [2, 5, 6]);
  await heads.load();
  const further = { witness: 3, signature: new Uint8Array(64).fill(3) };
  const wholeOf = (size: number) => ({
    ...sth(size),
    signatures: [...sth(size).signatures as [], further],
  });
  for (const size of [2, 5, 6]) log.sths.set(size, wholeOf(size));
  assert.deepEqual(await heads.at(5), sth(5));
  heads.advanceTo(wholeOf(6));
  for (const size of [2, 5, 6]) assert.deepEqual(await heads.at(size), wholeOf(size));
  await heads.load();
  for (const size of [2, 5, 6]) assert.deepEqual(await heads.at(size), wholeOf(size));
});

Deno.test("PublishedHeads keeps signatures that are added while a head is read", async () => {
  const further = { witness: 3, signature: new Uint8Array(64).fill(3) };
  const wholeOf = (size: number): SthRecord => ({
    ...sth(size),
    signatures: [...sth(size).signatures as [], further],
  });
  for (const read of ["at", "closing", "previous", "below", "load"] as const) {
    const { store } = await makeHeads([2, 5, 6]);
    const heads = new PublishedHeads(store.sths, sth(6));
    const reading = read === "at"
      ? heads.at(5)
      : read === "closing"
      ? heads.closing(2)
      : read === "previous"
      ? heads.previous(6)
      : read === "below"
      ? heads.below(6, 2)
      : heads.load();
    // The store answers with the set that it had.
    heads.extend(wholeOf(5));
    await reading;
    assert.deepEqual(await heads.at(5), wholeOf(5), read);
    assert.deepEqual(await heads.closing(2), wholeOf(5), read);
  }
});

Deno.test("HeadPublisher.publish() rejects an adopted head that does not verify", async () => {
  const { heads, publisher, log } = await makeHeads();
  log.sths.set(5, { ...sth(5), timestamp: 0 });
  await assert.rejects(publisher.publish(sth(5)), { code: "store_corrupt" });
  assert.equal(heads.size, 0);
});

Deno.test("PublishedHeads does not keep a head that was read before advanceTo()", async () => {
  const { store, log } = await makeHeads([2, 5, 6]);
  const further = { witness: 3, signature: new Uint8Array(64).fill(3) };
  const whole = { ...sth(5), signatures: [...sth(5).signatures as [], further] };
  const heads = new PublishedHeads(store.sths, sth(6));
  const reading = heads.at(5);
  heads.advanceTo(sth(6));
  assert.deepEqual(await reading, sth(5));
  log.sths.set(5, whole);
  assert.deepEqual(await heads.at(5), whole);
});
