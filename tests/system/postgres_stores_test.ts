/**
 * The ports' conformance suites on a real PostgreSQL server.
 *
 * @module
 */

import assert from "node:assert/strict";
import { KvAnchorList } from "../../src/storage/anchors/kv_anchor_list.ts";
import { KvAnchorStore } from "../../src/storage/anchors/kv_anchor_store.ts";
import { KvFederationStore } from "../../src/storage/anchors/kv_federation_store.ts";
import { KvWitnessedStore } from "../../src/storage/anchors/kv_witnessed_store.ts";
import type { LogStore } from "../../src/gateway/ports.ts";
import { openDatabaseAnchors, openDatabaseLog } from "../../src/storage/postgres/database_log.ts";
import type { StoreEngine } from "../../src/storage/store_engine.ts";
import { testAnchorStore, type TestedStore } from "../storage/anchor_store_conformance.ts";
import { testFederationStore } from "../storage/federation_store_conformance.ts";
import { testFence } from "../storage/fence_conformance.ts";
import { type TestedLog, testLogStore } from "../storage/log_store_conformance.ts";
import { row } from "../storage/log_records.ts";
import type { GatewayRun } from "../../src/server/gateway/gateway_run.ts";
import { openStores } from "../../src/server/gateway/gateway_stores.ts";
import { AcceptedMark, META_KEY } from "../../src/storage/store_meta.ts";
import { PostgresConnection, type Run } from "../../src/storage/postgres/postgres_connection.ts";
import { PostgresLease } from "../../src/storage/postgres/postgres_lease.ts";
import { testStoreEngine } from "../storage/store_engine_conformance.ts";
import { testWitnessedStore } from "../storage/witnessed_store_conformance.ts";
import { accessTo } from "./postgres_access.ts";
import { newDatabase, openStore, SERVER } from "./postgres_databases.ts";

/** Closes its connections with the store. */
async function openLog(database: string): Promise<LogStore> {
  const store = await openStore(database);
  const log = await openDatabaseLog(store, "network");
  const close = log.close.bind(log);
  log.close = () => {
    close();
    store.close();
  };
  return log;
}

/** Closes its connections with the engine. */
async function openEngine(database: string): Promise<StoreEngine> {
  const store = await openStore(database);
  const engine = store.engine("log");
  engine.close = () => store.close();
  return engine;
}

async function inPostgres(): Promise<TestedLog> {
  const database = await newDatabase();
  return { open: () => openLog(database), remove: () => Promise.resolve() };
}

async function anchorsInPostgres<S>(
  open: (anchors: Awaited<ReturnType<typeof openDatabaseAnchors>>) => Promise<S>,
): Promise<TestedStore<S>> {
  const database = await newDatabase();
  let store = await openStore(database);
  const opened = async () => await open(await openDatabaseAnchors(store, "network"));
  return {
    store: await opened(),
    async reopen() {
      store.close();
      store = await openStore(database);
      return await opened();
    },
    remove() {
      store.close();
      return Promise.resolve();
    },
  };
}

const NAME = "a store in PostgreSQL";
testStoreEngine("a table in PostgreSQL", async () => {
  const database = await newDatabase();
  return { open: () => openEngine(database), remove: () => Promise.resolve() };
});
testLogStore(NAME, inPostgres);
testFence(NAME, inPostgres);
testAnchorStore(
  NAME,
  () =>
    anchorsInPostgres(async (database) =>
      new KvAnchorStore(database, await KvAnchorList.open(database))
    ),
);
testFederationStore(
  NAME,
  () =>
    anchorsInPostgres(async (database) =>
      new KvFederationStore(database, await KvAnchorList.open(database))
    ),
);
testWitnessedStore(
  NAME,
  () => anchorsInPostgres((database) => Promise.resolve(new KvWitnessedStore(database))),
);

Deno.test(`${NAME} rejects anchors of a process that lost the fence`, async () => {
  const database = await newDatabase();
  using opened = new DisposableStack();
  const [first, second] = [await openStore(database), await openStore(database)];
  for (const store of [first, second]) opened.defer(() => store.close());
  const anchors = await openDatabaseAnchors(first, "network");
  assert.equal(await anchors.commit("one", { set: [[["al", 0], new Uint8Array(1)]] }), true);
  const log = await openDatabaseLog(second, "network");
  await log.takeFence();
  const set = [[["al", 1], new Uint8Array(1)]] as const;
  await assert.rejects(anchors.commit("two", { set }), { code: "fence_lost" });
  await assert.rejects(anchors.commit("two", { absent: [["al", 1]], set }), { code: "fence_lost" });
  assert.equal(await anchors.get(["al", 1]), undefined);
  assert.equal(await log.rounds.commit([row(0, 3)], []), "stored");
});

Deno.test(`${NAME} that is opened again with --moved has to have the mark of the first time`, async () => {
  const database = await newDatabase();
  await using opened = new AsyncDisposableStack();
  const run = {
    operator: {
      store: { ...accessTo(SERVER, database), password: { kind: "environment", name: "P" } },
    },
    io: { env: () => SERVER.password },
    options: { standby: true, moved: true },
    report: () => {},
    opened,
  } as unknown as GatewayRun;
  const store = await openStore(database);
  opened.defer(() => store.close());
  const open = async (accepted: AcceptedMark) => {
    const log = await (await openStores(run, accepted)).openLog("network");
    await log.takeFence();
    log.close();
  };
  const move = async (at: number) => {
    const { value } = await store.engine("log").get<object>(META_KEY);
    const mark = { state: "moved", other: "elsewhere", at };
    const marked = store.engine("log").atomic().set(META_KEY, { ...value, mark });
    assert.ok((await marked.commit()).ok);
  };
  const waiting = new AcceptedMark(true);
  await open(waiting);
  await move(1);
  await assert.rejects(open(waiting), { code: "store_copied" });
  const back = new AcceptedMark(true);
  await assert.rejects(open(new AcceptedMark(false)), { code: "store_copied" });
  await open(back);
  await open(back);
  await move(2);
  await assert.rejects(open(back), { code: "store_copied" });
});

Deno.test(`${NAME} does not take the fence for a process that lost the lease`, async () => {
  const database = await newDatabase();
  using opened = new DisposableStack();
  const [first, second] = [await openStore(database), await openStore(database)];
  for (const store of [first, second]) opened.defer(() => store.close());
  const log = await openDatabaseLog(second, "network");
  // The first is slow to start: its lease ends before it takes the fence.
  await first.lease.take({ name: "first" });
  await first.lease.release(1);
  await second.lease.take({ name: "second" });
  await log.takeFence();
  await assert.rejects(first.fence.take(), { code: "fence_lost" });
  assert.equal(await log.rounds.commit([row(0, 3)], []), "stored");
});

Deno.test(`${NAME} gives no lease for a request that was on its way during an outage`, async () => {
  const database = await newDatabase();
  const store = await openStore(database);
  const connection = new PostgresConnection({
    access: accessTo(SERVER, database),
    isReadOnly: false,
  });
  let late: Parameters<Run> | undefined;
  const run: Run = (...statement) => {
    if (!statement[0].startsWith("WITH taken")) return connection.run(...statement);
    late = statement;
    return Promise.reject(new Error("no answer"));
  };
  const standby = new PostgresLease(run);
  await standby.reach();
  await assert.rejects(standby.take({ name: "standby" }), /no answer/);
  const taken = await store.lease.take({ name: "active" });
  assert.ok("epoch" in taken);
  await connection.run("SELECT pg_sleep(2.5)");
  await connection.run("SELECT pg_sleep(2.6)");
  // The outage has ended the lease of the active gateway.
  await connection.run(...late!);
  assert.equal(await store.lease.renew(taken.epoch), true);
  store.close();
  connection.close();
});
