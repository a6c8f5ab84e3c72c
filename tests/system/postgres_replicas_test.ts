/**
 * What a gateway shows of the servers that follow its database.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PostgresStore } from "../../src/storage/postgres/postgres_store.ts";
import { eventually } from "../scenarios/deployment.ts";
import { accessTo } from "./postgres_access.ts";
import { PostgresServer } from "./postgres_server.ts";

const WRITTEN = 1_000_000;

Deno.test("a store knows how far each server that follows its database is behind, if its role may", async () => {
  await using server = await PostgresServer.start();
  await server.sql("CREATE ROLE gateway LOGIN PASSWORD 'secret'");
  await server.sql("CREATE DATABASE log OWNER gateway");
  const access = { ...accessTo(server, "log"), user: "gateway", password: "secret" };
  const store = await PostgresStore.open({ access, report: () => {} });
  try {
    assert.equal(await store.replicas(), undefined);
    await server.sql("GRANT pg_read_all_stats TO gateway");
    assert.deepEqual(await store.replicas(), []);
    await using replica = await server.startReplica();
    const isBehind = (holds: (bytes: number) => boolean) =>
      eventually("the replica is as far as expected", async () => {
        const [found] = await store.replicas() ?? [];
        if (found === undefined || !holds(found.lagBytes)) return undefined;
        assert.deepEqual([found.name, found.mode], ["walreceiver", "async"]);
        return true;
      });
    await isBehind((bytes) => bytes === 0);
    const receiver = Number(await replica.sql("SELECT pid FROM pg_stat_wal_receiver"));
    Deno.kill(receiver, "SIGSTOP");
    await server.sql(
      `CREATE TABLE t AS SELECT repeat('x', 1000) FROM generate_series(1, ${WRITTEN / 1_000})`,
    );
    await isBehind((bytes) => bytes >= WRITTEN);
    Deno.kill(receiver, "SIGCONT");
    await isBehind((bytes) => bytes === 0);
    await replica.endReplication();
    await eventually(
      "no server follows",
      async () => (await store.replicas())?.length === 0 || undefined,
    );
  } finally {
    store.close();
  }
});
