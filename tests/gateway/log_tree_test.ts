import assert from "node:assert/strict";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { LogTree } from "../../src/gateway/sequencing/log_tree.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { treeRoot } from "../../src/proof/merkle/tree.ts";
import { FakeClock } from "../fake_clock.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";

async function openTree(log: MemoryLog) {
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const clock = new FakeClock();
  return {
    store,
    clock,
    tree: await LogTree.open({ store: store.tree, kernels, writes: new StoreWrites(clock) }),
  };
}

Deno.test("LogTree grows in any steps to the tree of all leaves, over restarts", async () => {
  const leaves = randomDigests(1_200);
  const log = new MemoryLog();
  let size = 0;
  for (const step of [1, 1, 253, 1, 1, 255, 512, 100, 76]) {
    const { tree } = await openTree(log);
    assert.equal(tree.head.size, size);
    await tree.grow(leaves.slice(size * 32, (size + step) * 32));
    size += step;
    assert.deepEqual(tree.head, { size, root: treeRoot(kernels, leaves.slice(0, size * 32)) });
    for (let tile = 0; tile * 256 < size; tile++) {
      const width = Math.min(256, size - tile * 256);
      const expected = leaves.slice(tile * 8192, tile * 8192 + width * 32);
      for (let again = 0; again < 2; again++) {
        assert.deepEqual(new Uint8Array(await tree.nodes(0, tile, width)), expected);
        const part = await tree.nodes(0, tile, 1);
        assert.deepEqual(new Uint8Array(part), expected.slice(0, 32));
      }
    }
  }
  assert.deepEqual(log.violations, []);
});

Deno.test("LogTree.nodes() reads partial tiles from memory and reports missing tiles as damage", async () => {
  const log = new MemoryLog();
  const { tree, store } = await openTree(log);
  await tree.grow(randomDigests(600));
  const { operations } = store;
  await tree.nodes(0, 2, 88);
  await tree.nodes(1, 0, 2);
  assert.equal(store.operations, operations);
  for (const [level, tile, width] of [[0, 2, 89], [1, 0, 3], [2, 0, 1], [0, 0, 257]]) {
    await assert.rejects(tree.nodes(level!, tile!, width!), { code: "store_corrupt" });
  }
  log.tiles.delete("0/1");
  await assert.rejects(tree.nodes(0, 1, 1), { code: "store_corrupt" });
});

Deno.test("LogTree.open() refuses edges that do not hash to the head's root", async () => {
  const damages: readonly ((log: MemoryLog) => void)[] = [
    (log) => log.edges[0]![5]! ^= 1,
    (log) => log.edges[1]![5]! ^= 1,
    (log) => log.edges.pop(),
    (log) => log.edges.shift(),
    (log) => log.edges = [],
    (log) => log.edges[0] = log.edges[0]!.slice(0, -1),
    (log) => log.head!.head.root[0]! ^= 1,
    (log) => log.head = { ...log.head!, head: { ...log.head!.head, size: 299 } },
  ];
  const sound = new MemoryLog();
  await (await openTree(sound)).tree.grow(randomDigests(300));
  for (const damage of damages) {
    const log = sound.copy();
    damage(log);
    await assert.rejects(openTree(log), { code: "store_corrupt" }, String(damage));
  }
  assert.equal((await openTree(sound.copy())).tree.head.size, 300);
});

for (const fault of ["fail_not_stored", "fail_but_stored", "conflict"] as const) {
  Deno.test(`LogTree.grow() settles a commit with ${fault}`, async () => {
    const log = new MemoryLog();
    const { tree, store, clock } = await openTree(log);
    for (const faults of [[fault], [fault, fault], []]) {
      store.fault = (kind) => kind === "head" ? faults.shift() : undefined;
      const grown = tree.grow(randomDigests(200));
      await clock.advance(1_000);
      await grown;
    }
    assert.equal(tree.head.size, 600);
    assert.equal((await openTree(log)).tree.head.size, 600);
    assert.deepEqual(log.violations, []);
  });
}

Deno.test("LogTree.grow() rejects when the store has another head", async () => {
  const log = new MemoryLog();
  const { tree } = await openTree(log);
  await tree.grow(randomDigests(3));
  const rival = log.copy();
  await (await openTree(rival)).tree.grow(randomDigests(2));
  log.head = { head: rival.head!.head, version: "another" };
  await assert.rejects(tree.grow(randomDigests(2)), { code: "store_corrupt" });
  assert.equal(tree.head.size, 3);
});
