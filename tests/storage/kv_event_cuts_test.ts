import assert from "node:assert/strict";
import type { EventPlace } from "../../src/gateway/event_place.ts";
import { type AnchorDatabase, openAnchorDatabase } from "../../src/storage/anchor_database.ts";
import { KvAnchorList } from "../../src/storage/kv_anchor_list.ts";
import { KvAnchorStore } from "../../src/storage/kv_anchor_store.ts";
import { KvEventCuts } from "../../src/storage/kv_event_cuts.ts";
import { KvFederationStore } from "../../src/storage/kv_federation_store.ts";
import { anchor, crossAnchor } from "./anchor_records.ts";

/** A database on disk, which may be opened again. */
async function onDisk(
  run: (reopen: () => Promise<AnchorDatabase>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  let database: AnchorDatabase | undefined;
  try {
    await run(async () => {
      database?.close();
      return database = await openAnchorDatabase(`${folder}/events.kv`, "network");
    });
  } finally {
    database?.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** The i-th of ascending cuts, which reach beyond 32 bits. */
function cutAt(i: number): EventPlace {
  const heads = i * 2 ** 27;
  return { accepted: heads + i, confirmed: heads + 1, batches: heads, heads, anchors: i };
}

async function requireCuts(cuts: KvEventCuts, length: number): Promise<void> {
  assert.equal(cuts.length, length);
  for (let i = 0; i < length; i++) assert.deepEqual(await cuts.at(i), cutAt(i));
  await assert.rejects(cuts.at(length), { code: "store_corrupt" });
}

Deno.test("cuts are kept in their order, whatever page they are on", () =>
  onDisk(async (reopen) => {
    let cuts = await KvEventCuts.open(await reopen());
    assert.equal(cuts.length, 0);
    for (let i = 0; i < 100; i++) {
      await cuts.append(cutAt(i));
      if ([31, 32, 63].includes(i)) cuts = await KvEventCuts.open(await reopen());
    }
    await requireCuts(cuts, 100);
    for (const length of [97, 96, 65, 64, 33, 32, 31, 1, 0]) {
      await cuts.truncate(length);
      await requireCuts(cuts, length);
      cuts = await KvEventCuts.open(await reopen());
      await requireCuts(cuts, length);
    }
    await cuts.append(cutAt(0));
    await requireCuts(cuts, 1);
  }));

Deno.test("pages of cuts that are damaged or missing are refused", () =>
  onDisk(async (reopen) => {
    const cuts = await KvEventCuts.open(await reopen());
    for (let i = 0; i < 40; i++) await cuts.append(cutAt(i));
    for (
      const damage of [undefined, new Uint8Array(), new Uint8Array(23), new Uint8Array(33 * 24)]
    ) {
      const database = await reopen();
      await database.commit("damage", (operation) => {
        if (damage === undefined) operation.delete(["cut", 0]);
        else operation.set(["cut", 0], damage);
      });
      const damaged = await KvEventCuts.open(database);
      await assert.rejects(damaged.at(3), { code: "store_corrupt" });
      assert.deepEqual(await damaged.at(39), cutAt(39));
    }
    const database = await reopen();
    await database.commit("damage", (operation) => {
      operation.set(["cut", 1], new Uint8Array(1));
    });
    await assert.rejects(KvEventCuts.open(database), { code: "store_corrupt" });
  }));

Deno.test("anchors are listed once each, in the order in which they were added", () =>
  onDisk(async (reopen) => {
    let list = await KvAnchorList.open(await reopen());
    let told = 0;
    const leave = new AbortController();
    const open = async () => {
      const database = await reopen();
      list = await KvAnchorList.open(database);
      list.onAdded(() => told++, leave.signal);
      return [new KvFederationStore(database, list), new KvAnchorStore(database, list)] as const;
    };
    let [federation, anchors] = await open();
    await Promise.all([
      federation.saveCrossAnchor(crossAnchor("p", 5)),
      anchors.save(anchor("tsa", 5, "pending")),
      federation.saveCrossAnchor(crossAnchor("q", 5)),
    ]);
    // The same again, by a process that did not know that it had them.
    [federation, anchors] = await open();
    await federation.saveCrossAnchor(crossAnchor("p", 5));
    await anchors.save(anchor("tsa", 5, "pending"));
    await anchors.save(anchor("tsa", 5, "confirmed"));
    await anchors.save(anchor("tsa", 5, "confirmed"));
    // What is confirmed is pending no more.
    await anchors.save(anchor("tsa", 5, "pending"));
    [federation, anchors] = await open();
    assert.equal(list.length, 4);
    assert.equal(told, 4);
    const { treeHead: { root_hash } } = crossAnchor("p", 5);
    const head = { tree_size: 5, root_hash };
    const listed = (await list.list(0, 9)).map(({ type, data }) => [type, JSON.parse(data)]);
    assert.deepEqual(listed, [
      ["cross_anchor.added", { witnessing_network: "p", ...head }],
      ["external_anchor.added", { provider: "example", status: "pending", ...head }],
      ["cross_anchor.added", { witnessing_network: "q", ...head }],
      ["external_anchor.added", { provider: "example", status: "confirmed", ...head }],
    ]);
    assert.deepEqual(await list.list(1, 3), (await list.list(0, 4)).slice(1, 3));
    leave.abort();
    await federation.saveCrossAnchor(crossAnchor("p", 6));
    assert.deepEqual([list.length, told], [5, 4]);
  }));
