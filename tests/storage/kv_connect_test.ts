/** Deno KV by URL, over a KV Connect server of the tests. */

import assert from "node:assert/strict";
import type { AnchorDatabase } from "../../src/storage/anchors/anchor_database.ts";
import { KvAnchorList } from "../../src/storage/anchors/kv_anchor_list.ts";
import { KvAnchorStore } from "../../src/storage/anchors/kv_anchor_store.ts";
import { KvFederationStore } from "../../src/storage/anchors/kv_federation_store.ts";
import { openRemoteKv, TOKEN_VARIABLE } from "../../src/storage/kv_connect.ts";
import { KvConnectStore } from "../../src/storage/kv_connect_store.ts";
import { openDatabaseAnchors, openDatabaseLog } from "../../src/storage/log/database_log.ts";
import { KvFence } from "../../src/storage/log/kv_fence.ts";
import { systemClock } from "../../src/clock.ts";
import type { Clock } from "../../src/clock.ts";
import { testAnchorStore, type TestedStore } from "./anchor_store_conformance.ts";
import { testFederationStore } from "./federation_store_conformance.ts";
import { testFence } from "./fence_conformance.ts";
import { KV_TOKEN, KvConnectServer } from "./kv_connect_server.ts";
import { type TestedLog, testLogStore } from "./log_store_conformance.ts";

function opened(server: KvConnectServer, prefix: Deno.KvKey = ["log"], clock?: Clock) {
  return openRemoteKv({ url: server.url, token: KV_TOKEN }, prefix, clock);
}

/** Closed with their servers. */
const stores = new Map<KvConnectServer, KvConnectStore[]>();

async function openedStore(server: KvConnectServer): Promise<KvConnectStore> {
  const store = await KvConnectStore.open({ url: server.url, token: KV_TOKEN });
  stores.set(server, [...stores.get(server) ?? [], store]);
  return store;
}

async function closed(server: KvConnectServer): Promise<void> {
  for (const store of stores.get(server) ?? []) store.close();
  stores.delete(server);
  // Limits of the protocol, beyond which the server refuses.
  assert.ok(server.used.checks <= 10 && server.used.mutations <= 1_000);
  await server[Symbol.asyncDispose]();
}

function log(): Promise<TestedLog> {
  const server = new KvConnectServer();
  return Promise.resolve({
    async open() {
      const store = await KvConnectStore.open({ url: server.url, token: KV_TOKEN });
      const log = await openDatabaseLog(store, "network");
      log.close = () => store.close();
      return log;
    },
    remove: () => closed(server),
  });
}

async function anchors<S>(
  Store: new (database: AnchorDatabase, list: KvAnchorList) => S,
): Promise<TestedStore<S>> {
  const server = new KvConnectServer();
  const open = async () => {
    const database = await openDatabaseAnchors(await openedStore(server), "network");
    return new Store(database, await KvAnchorList.open(database));
  };
  return { store: await open(), reopen: open, remove: () => closed(server) };
}

testLogStore("the log's store on Deno KV by URL", log);
testFence("the log's store on Deno KV by URL", log);
testAnchorStore("anchors on Deno KV by URL", () => anchors(KvAnchorStore));
testFederationStore("cross-anchors on Deno KV by URL", () => anchors(KvFederationStore));

Deno.test("openRemoteKv() keeps records of other prefixes apart", async () => {
  await using server = new KvConnectServer();
  const [one, other] = [await opened(server, ["a"]), await opened(server, ["a", "b"])];
  await one.atomic().set(["meta"], 1).commit();
  await other.atomic().set(["meta"], 2).commit();
  assert.equal((await one.get(["meta"])).value, 1);
  assert.equal((await other.get(["meta"])).value, 2);
  for await (const { key } of other.list({ prefix: [] })) assert.deepEqual(key, ["meta"]);
  one.close();
  other.close();
});

Deno.test("openRemoteKv() leaves no token in the environment", async () => {
  await using server = new KvConnectServer();
  const engine = await opened(server);
  assert.equal(Deno.env.get(TOKEN_VARIABLE), undefined);
  engine.close();
  const database = { url: server.url, token: "another-token-of-24-characters" };
  await assert.rejects(openRemoteKv(database, ["log"]), { code: "token_refused" });
  assert.equal(Deno.env.get(TOKEN_VARIABLE), undefined);
});

Deno.test("openRemoteKv() opens databases with different tokens at once", async () => {
  await using server = new KvConnectServer();
  const wrong = { url: server.url, token: "another-token-of-24-characters" };
  const [right, refused] = await Promise.allSettled([
    opened(server),
    openRemoteKv(wrong, ["log"]),
  ]);
  assert.equal(refused.status, "rejected");
  assert.ok(right.status === "fulfilled");
  right.value.close();
});

Deno.test("openRemoteKv() rejects when the server is away, silent, or no KV Connect server", async () => {
  const away = { url: "http://127.0.0.1:9", token: KV_TOKEN };
  await assert.rejects(openRemoteKv(away, ["log"]), { code: "storage_failed", message: /refused/ });
  await using other = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("<html>", { headers: { "content-type": "text/html" } }),
  );
  const page = { url: `http://127.0.0.1:${other.addr.port}`, token: KV_TOKEN };
  await assert.rejects(openRemoteKv(page, ["log"]), { code: "storage_failed" });
  const server = new KvConnectServer();
  server.pause();
  const atOnce: Clock = { nowMs: () => 0, sleep: () => Promise.resolve() };
  await assert.rejects(opened(server, ["log"], atOnce), {
    code: "storage_failed",
    message: /the server does not answer/,
  });
  await server[Symbol.asyncDispose]();
});

Deno.test("openRemoteKv() closes a database that opens after it gave up", async () => {
  await using server = new KvConnectServer();
  server.pause();
  const atOnce: Clock = { nowMs: () => 0, sleep: () => Promise.resolve() };
  await assert.rejects(opened(server, ["log"], atOnce), { code: "storage_failed" });
  server.resume();
  // Databases are opened one after the other. That the first one is closed, the test runner checks.
  (await opened(server)).close();
});

Deno.test("a read of a silent server is given up, and further ones at once, until it answers", async () => {
  await using server = new KvConnectServer();
  let waits = 0;
  let isFast = false;
  const clock: Clock = {
    nowMs: () => 0,
    sleep(ms, signal) {
      waits++;
      return isFast ? Promise.resolve() : systemClock.sleep(ms, signal);
    },
  };
  const engine = await opened(server, ["log"], clock);
  server.pause();
  isFast = true;
  const refusal = { code: "storage_failed", message: /does not answer/ };
  await assert.rejects(engine.get(["a"]), refusal);
  const before = waits;
  await assert.rejects(engine.get(["a"]), refusal);
  await assert.rejects(Array.fromAsync(engine.list({ prefix: [] })), refusal);
  assert.equal(waits, before);
  isFast = false;
  server.resume();
  for (let isAnswered = false; !isAnswered;) {
    isAnswered = await engine.get(["a"]).then(
      () => true,
      () => systemClock.sleep(5).then(() => false),
    );
  }
  engine.close();
});

Deno.test("a read that is never answered does not end the reads that come after it", async () => {
  await using server = new KvConnectServer();
  let nowMs = 0;
  let isFast = false;
  const clock: Clock = {
    nowMs: () => nowMs,
    sleep: (ms, signal) => isFast ? Promise.resolve() : systemClock.sleep(ms, signal),
  };
  const engine = await opened(server, ["log"], clock);
  server.pause();
  isFast = true;
  const refusal = { code: "storage_failed", message: /does not answer/ };
  await assert.rejects(engine.get(["a"]), refusal);
  // Its connection stays without an answer. One more read is sent after a pause, and the next after a longer one.
  nowMs += 1_000;
  await assert.rejects(engine.get(["a"]), refusal);
  server.abandon();
  isFast = false;
  nowMs += 1_999;
  await assert.rejects(engine.get(["a"]), refusal);
  nowMs += 1;
  assert.equal((await engine.get(["a"])).value, null);
  assert.equal((await engine.get(["a"])).value, null);
  engine.close();
});

Deno.test("a fence is taken although the answer of the server was lost", async () => {
  await using server = new KvConnectServer();
  const engine = await opened(server);
  const fence = new KvFence(engine);
  server.faults.push("lost answer");
  await fence.take();
  await fence.check();
  // The runtime repeats this commit, which then is in conflict with itself.
  server.faults.push("lost answer");
  const key = ["in", 0];
  const commit = fence.guard(engine.atomic()).check({ key, versionstamp: null }).set(key, true);
  assert.equal((await commit.commit()).ok, false);
  assert.equal((await engine.get(key)).value, true);
  await fence.check();
  engine.close();
});

Deno.test("a commit without an answer is given up, and further ones at once, until it is answered", async () => {
  await using server = new KvConnectServer();
  let isFast = false;
  const clock: Clock = {
    nowMs: () => 0,
    sleep: (ms, signal) => isFast ? Promise.resolve() : systemClock.sleep(ms, signal),
  };
  const engine = await opened(server, ["log"], clock);
  server.pause();
  isFast = true;
  const commit = (n: number) => engine.atomic().set(["a"], n).commit();
  await assert.rejects(commit(1), /does not answer/);
  await assert.rejects(commit(2), /does not answer/);
  isFast = false;
  server.resume();
  for (let isStored = false; !isStored;) {
    isStored = await commit(3).then(({ ok }) => ok, () => systemClock.sleep(5).then(() => false));
  }
  assert.equal((await engine.get(["a"])).value, 3);
  // The second one was never sent.
  assert.equal(server.answered.writes, 2);
  engine.close();
});

Deno.test("a small read precedes each commit that the runtime sends in two writes", async () => {
  const server = new KvConnectServer();
  const store = await openedStore(server);
  await store.lease.take({ name: "one" });
  await store.fence.take();
  for (const count of [1, 8]) {
    for (let bytes = 0; bytes <= 1_000; bytes += 50) {
      server.paths.length = 0;
      const commit = store.fence.guard(store.engine("log").atomic());
      for (let i = 0; i < count; i++) {
        const key = ["in", count * 1e6 + bytes * 100 + i];
        commit.check({ key, versionstamp: null }).set(key, new Uint8Array(bytes / count));
      }
      assert.ok((await commit.commit()).ok);
      const hasRead = server.paths[0] === "/v3/snapshot_read";
      const sent = `${server.lastWrite} bytes in ${count} records`;
      assert.ok(hasRead || server.lastWrite < 1_024, sent);
      if (count === 1 && bytes <= 500) assert.ok(!hasRead, sent);
    }
  }
  await closed(server);
});

Deno.test("anchors are written by whoever took the fence last, and once more in one store", async () => {
  const server = new KvConnectServer();
  const [first, second] = [await openedStore(server), await openedStore(server)];
  const anchors = await openDatabaseAnchors(first, "network");
  const change = { set: [[["seen", "a"], Uint8Array.of(1)]] } as const;
  const commit = first.fence.guard(first.engine("anchors").atomic()).set(["seen", "b"], 1);
  // The log of the same store takes the fence again.
  await (await openDatabaseLog(first, "network")).takeFence();
  assert.ok((await commit.commit()).ok);
  assert.ok(await anchors.commit("a record", change));
  await (await openDatabaseLog(second, "network")).takeFence();
  assert.equal(await anchors.commit("a record", change), false);
  await closed(server);
});
