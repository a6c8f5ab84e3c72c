import assert from "node:assert/strict";
import { concat, utf8 } from "../../src/base/bytes.ts";
import { systemClock } from "../../src/base/clock.ts";
import {
  decodeAnchor,
  decodeContradiction,
  decodeCrossAnchor,
  decodeSeenHead,
  encodeAnchor,
  encodeContradiction,
  encodeCrossAnchor,
  encodeSeenHead,
} from "../../src/storage/anchors/anchor_codec.ts";
import {
  AnchorDatabase,
  anchorKeys,
  type AnchorKv,
  AnchorValues,
  openAnchorDatabase,
} from "../../src/storage/anchors/anchor_database.ts";
import { KvAnchorList } from "../../src/storage/anchors/kv_anchor_list.ts";
import { KvAnchorReads, KvAnchorStore } from "../../src/storage/anchors/kv_anchor_store.ts";
import {
  KvFederationReads,
  KvFederationStore,
} from "../../src/storage/anchors/kv_federation_store.ts";
import { KvWitnessedStore } from "../../src/storage/anchors/kv_witnessed_store.ts";
import { openSqliteReads, type SqliteReads } from "../../src/storage/sqlite_reads.ts";
import type { StoreCommit } from "../../src/storage/store_engine.ts";
import { openStoreKv, type StoreKv } from "../../src/storage/store_kv.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { anchor, contradiction, crossAnchor, seen, witnessed } from "./anchor_records.ts";
import { testAnchorStore, type TestedStore } from "./anchor_store_conformance.ts";
import { testFederationStore } from "./federation_store_conformance.ts";

/** A store on disk. */
async function onDisk<S>(
  Store: new (database: AnchorDatabase, list: KvAnchorList) => S,
): Promise<TestedStore<S> & { readonly path: string }> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/anchors.kv`;
  const open = () => openAnchorDatabase(path, "network");
  let database = await open();
  return {
    path,
    store: new Store(database, await KvAnchorList.open(database)),
    async reopen() {
      database.close();
      database = await open();
      return new Store(database, await KvAnchorList.open(database));
    },
    async remove() {
      database.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

testAnchorStore("anchors on Deno KV", () => onDisk(KvAnchorStore));
testFederationStore(
  "cross-anchors on Deno KV",
  () => onDisk(KvFederationStore),
);

/** A store on disk that is written through Deno KV and read as a front reads it. */
function readByFront<S extends object>(
  tested: TestedStore<S> & { readonly path: string },
  Reads: new (values: AnchorValues) => Partial<S>,
): TestedStore<S> {
  const readers: SqliteReads[] = [];
  const combined = (store: S): S => {
    const reader = openSqliteReads(tested.path);
    readers.push(reader);
    const reads = new Reads(new AnchorValues(reader));
    const ownerOf = (name: string | symbol) => name in reads ? reads : store;
    return new Proxy(store, {
      get(_, name) {
        const owner = ownerOf(name);
        const member = Reflect.get(owner, name);
        return typeof member === "function" ? member.bind(owner) : member;
      },
    });
  };
  return {
    store: combined(tested.store),
    reopen: async () => combined(await tested.reopen()),
    async remove() {
      for (const reader of readers) reader.close();
      await tested.remove();
    },
  };
}

testAnchorStore(
  "anchors read by a front",
  async () => readByFront(await onDisk(KvAnchorStore), KvAnchorReads),
);
testFederationStore(
  "cross-anchors read by a front",
  async () => readByFront(await onDisk(KvFederationStore), KvFederationReads),
);

async function withPath(run: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(`${folder}/anchors.kv`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function tamper(path: string, change: (kv: Deno.Kv) => Promise<unknown>): Promise<void> {
  using kv = await Deno.openKv(path);
  await change(kv);
}

Deno.test("openAnchorDatabase() rejects another network or format", () =>
  withPath(async (path) => {
    (await openAnchorDatabase(path, "network")).close();
    await assert.rejects(openAnchorDatabase(path, "another"), { code: "network_changed" });
    await tamper(
      path,
      (kv) => kv.set(anchorKeys.meta(), { format_version: 2, network: "network" }),
    );
    await assert.rejects(openAnchorDatabase(path, "network"), { code: "format_unsupported" });
  }));

Deno.test("openAnchorDatabase() creates a file for its owner only", () =>
  withPath(async (path) => {
    (await openAnchorDatabase(path, "network")).close();
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    await Deno.writeTextFile(path, "no store ".repeat(1000));
    await assert.rejects(openAnchorDatabase(path, "network"), { code: "file_failed" });
  }));

Deno.test("AnchorDatabase names the damaged record", () =>
  withPath(async (path) => {
    const whole = encodeCrossAnchor(crossAnchor("peer", 9));
    const damages: [Deno.KvKey, unknown, RegExp][] = [
      [anchorKeys.crossAnchor("peer", 9), "text", /\["ca","peer",9\]/],
      [anchorKeys.crossAnchor("peer", 9), Uint8Array.of(2, ...whole.slice(1)), /9 by peer/],
      [anchorKeys.crossAnchor("peer", 9), whole.slice(0, -1), /9 by peer/],
      [anchorKeys.crossAnchor("peer", 8), whole, /8 by peer.* size 9/],
      [anchorKeys.anchor("tsa", "confirmed", 9), whole, /confirmed anchor 9 of tsa/],
      [anchorKeys.seen("a"), encodeSeenHead(seen("b", 5)), /head of a .*another network/],
      [anchorKeys.contradiction(0), concat(Uint8Array.of(1), utf8("{}")), /contradiction 0/],
    ];
    for (const [key, value, message] of damages) {
      await tamper(path, (kv) => kv.set(key, value));
      const database = await openAnchorDatabase(path, "network");
      const federation = new KvFederationStore(database, await KvAnchorList.open(database));
      const readAll = async () => {
        await federation.firstCrossAnchor("peer", 0);
        await federation.seenHead("a");
        await federation.contradictions(0, 10);
        await new KvAnchorStore(database, await KvAnchorList.open(database)).firstConfirmed(
          "tsa",
          0,
        );
      };
      await assert.rejects(readAll(), { code: "store_corrupt", message }, key.join("/"));
      database.close();
      await tamper(path, async (kv) => {
        await kv.delete(key);
        await kv.delete(anchorKeys.meta());
      });
    }
  }));

Deno.test("AnchorDatabase.commit() rejects a value that is too large before it writes", () =>
  withPath(async (path) => {
    const database = await openAnchorDatabase(path, "network");
    const store = new KvAnchorStore(database, await KvAnchorList.open(database));
    const fits = { ...anchor("tsa", 5), proof: { text: "x".repeat(59_000) } };
    await store.save(fits);
    await store.save({ ...fits, treeHead: anchor("tsa", 6).treeHead, status: "pending" });
    const large = { ...anchor("tsa", 6), proof: { text: "x".repeat(60_000) } };
    await assert.rejects(store.save(large), { code: "storage_failed" });
    assert.equal((await store.firstPending("tsa", 6))?.status, "pending");
    database.close();
  }));

async function federationStore(kv: AnchorKv): Promise<KvFederationStore> {
  const database = new AnchorDatabase(kv, systemClock);
  return new KvFederationStore(database, await KvAnchorList.open(database));
}

type Commit = () => Promise<{ readonly ok: boolean }>;

/** A handle of `kv` whose commits are made by `make` from those of `kv`. */
function committing(kv: StoreKv, make: (commit: Commit) => ReturnType<Commit>): AnchorKv {
  return {
    get: (key) => kv.get(key),
    list: (selector, options) => kv.list(selector, options),
    close: () => kv.close(),
    atomic() {
      const operation: StoreCommit = kv.atomic();
      const commit = operation.commit.bind(operation);
      operation.commit = () => make(commit);
      return operation;
    },
  };
}

/** A handle whose first commits reject, although every second one is stored. */
function faulty(kv: StoreKv, failures: number, words = "disk I/O error"): AnchorKv {
  let tries = 0;
  return committing(kv, async (commit) => {
    const fails = ++tries <= failures;
    if (!fails || tries % 2 === 0) await commit();
    if (fails) throw new Error(words);
    return { ok: true };
  });
}

Deno.test("AnchorDatabase.commit() retries a commit that rejects", () =>
  withPath(async (path) => {
    const handle = await openStoreKv(path);
    const store = await federationStore(faulty(handle, 3));
    await store.saveCrossAnchor(crossAnchor("peer", 9));
    assert.deepEqual(await store.firstCrossAnchor("peer", 0), crossAnchor("peer", 9));
    handle.close();
  }));

Deno.test("KvFederationStore.addContradiction() stores one record when a stored commit rejects", () =>
  withPath(async (path) => {
    const handle = await openStoreKv(path);
    const store = await federationStore(faulty(handle, 2));
    await store.addContradiction(contradiction("a", 1));
    assert.deepEqual(await store.contradictions(0, 10), [contradiction("a", 1)]);
    handle.close();
  }));

Deno.test("AnchorDatabase.commit() rejects with the reason after the last attempt", () =>
  withPath(async (path) => {
    const handle = await openStoreKv(path);
    const store = await federationStore(faulty(handle, 100));
    await assert.rejects(store.saveCrossAnchor(crossAnchor("peer", 9)), {
      code: "storage_failed",
      message: /disk I\/O error/,
    });
    handle.close();
  }));

Deno.test("AnchorDatabase.commit() rejects with store_corrupt for a damaged database", () =>
  withPath(async (path) => {
    const handle = await openStoreKv(path);
    const kv = faulty(handle, 100, "database disk image is malformed");
    const store = await federationStore(kv);
    await assert.rejects(store.saveCrossAnchor(crossAnchor("peer", 9)), { code: "store_corrupt" });
    handle.close();
  }));

/** A handle of which another process takes the fence: from then on, no commit is stored. */
function fenced(kv: StoreKv): AnchorKv & { isLost: boolean } {
  const handle: AnchorKv & { isLost: boolean } = {
    ...committing(kv, async (commit) => handle.isLost ? { ok: false } : await commit()),
    isLost: false,
  };
  return handle;
}

/** A handle whose commits reject while `whileAway` is set; the first of them runs when it says so. */
function unanswered(kv: StoreKv): AnchorKv & { whileAway?: "stored" | "stored late" } {
  let first: (() => Promise<unknown>) | undefined;
  let hasFirst = false;
  const handle: AnchorKv & { whileAway?: "stored" | "stored late" } = committing(
    kv,
    async (commit) => {
      if (handle.whileAway === undefined) {
        await first?.();
        first = undefined;
        return await commit();
      }
      if (!hasFirst && handle.whileAway === "stored") await commit();
      if (!hasFirst && handle.whileAway === "stored late") first = commit;
      hasFirst = true;
      throw new Error("no answer");
    },
  );
  return handle;
}

for (const whileAway of ["stored", "stored late"] as const) {
  for (const next of [[1, 2], [2, 1]]) {
    Deno.test(`KvAnchorList adds ${next} after the commit of 1 rejected and was ${whileAway}`, () =>
      withPath(async (path) => {
        const kv = unanswered(await openStoreKv(path));
        const clock = { ...systemClock, sleep: () => Promise.resolve() };
        const database = new AnchorDatabase(kv, clock);
        const list = await KvAnchorList.open(database);
        const store = new KvFederationStore(database, list);
        const lengths: number[] = [];
        list.onAdded(() => lengths.push(list.length), new AbortController().signal);
        kv.whileAway = whileAway;
        const first = store.saveCrossAnchor(crossAnchor("peer", 1));
        await assert.rejects(first, { code: "storage_failed" });
        delete kv.whileAway;
        for (const size of next) await store.saveCrossAnchor(crossAnchor("peer", size));
        assert.deepEqual(lengths, [1, 2]);
        const entries = await list.list(0, 10);
        assert.deepEqual(entries.map(({ data }) => JSON.parse(data).tree_size), [1, 2]);
        database.close();
      }));
  }
}

Deno.test("every write of anchors rejects with fence_lost once another process has the fence", () =>
  withPath(async (path) => {
    const kv = fenced(await openStoreKv(path));
    const database = new AnchorDatabase(kv, systemClock);
    const list = await KvAnchorList.open(database);
    const anchors = new KvAnchorStore(database, list);
    const federation = new KvFederationStore(database, list);
    const { links: [first, second] } = threeEpochs();
    await federation.savePeerLink("peer", first);
    await anchors.save(anchor("tsa", 4));
    kv.isLost = true;
    const writes = {
      saveCrossAnchor: () => federation.saveCrossAnchor(crossAnchor("peer", 9)),
      saveSeenHead: () => federation.saveSeenHead(seen("a", 5)),
      savePeerLink: () => federation.savePeerLink("peer", second),
      addContradiction: () => federation.addContradiction(contradiction("a", 1)),
      pending: () => anchors.save(anchor("tsa", 5, "pending")),
      confirmed: () => anchors.save(anchor("tsa", 5)),
      witnessed: () => new KvWitnessedStore(database).save(witnessed(9, false)),
    };
    for (const [what, write] of Object.entries(writes)) {
      await assert.rejects(write(), { code: "fence_lost" }, what);
    }
    // These are stored already.
    await federation.savePeerLink("peer", first);
    await anchors.save(anchor("tsa", 4, "pending"));
    assert.equal(list.length, 1);
    database.close();
  }));

Deno.test("KvFederationStore.addContradiction() works after an earlier addition failed", () =>
  withPath(async (path) => {
    const handle = await openStoreKv(path);
    const store = await federationStore(handle);
    const large = { ...contradiction("a", 1), origin: "x".repeat(60_000) };
    await assert.rejects(store.addContradiction(large), { code: "storage_failed" });
    await store.addContradiction(contradiction("b", 2));
    assert.deepEqual((await store.contradictions(0, 10)).map(({ origin }) => origin), ["b"]);
    handle.close();
  }));

Deno.test("the anchor codec has one encoding for each record", () => {
  const place = { service: "tsa", status: "pending", size: 9 } as const;
  const pairs: [Uint8Array, (value: Uint8Array) => Uint8Array][] = [
    [encodeAnchor(anchor("tsa", 9, "pending")), (v) => encodeAnchor(decodeAnchor(place, v))],
    [
      encodeCrossAnchor(crossAnchor("peer", 9)),
      (v) => encodeCrossAnchor(decodeCrossAnchor("peer", 9, v)),
    ],
    [encodeSeenHead(seen("a", 5)), (v) => encodeSeenHead(decodeSeenHead("a", v))],
    [
      encodeContradiction(contradiction("a", 1, 9)),
      (v) => encodeContradiction(decodeContradiction(0, v)),
    ],
  ];
  for (const [value, again] of pairs) assert.deepEqual(again(value), value);
});
