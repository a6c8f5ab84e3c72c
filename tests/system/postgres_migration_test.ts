/**
 * The tables of an earlier program, and what a front's user may do with the tables.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PostgresReader, PostgresStore } from "../../src/storage/postgres/postgres_store.ts";
import { PostgresConnection } from "../../src/storage/postgres/postgres_connection.ts";
import { FRONT_ROLE_SQL } from "./front_processes.ts";
import { PostgresServer } from "./postgres_server.ts";

Deno.test("a gateway brings tables of version 1 up to date; a front waits for that, and can only read", async () => {
  await using server = await PostgresServer.start();
  const { port, user, password, database } = server;
  const access = { host: "127.0.0.1", port, user, password, database, tls: false };
  const options = { access, report: () => {} };
  (await PostgresStore.open(options)).close();
  // The tables as the program of version 1 made them.
  await server.sql(
    "ALTER TABLE countersign.lease DROP COLUMN operator_url, DROP COLUMN front_settings",
  );
  await server.sql("UPDATE countersign.format SET version = 1");
  await server.sql("UPDATE countersign.lease SET epoch = 7, holder = 'old', url = 'http://old/'");
  await assert.rejects(PostgresReader.open(options), { code: "format_unsupported" });
  const store = await PostgresStore.open(options);
  assert.equal(await server.sql("SELECT version FROM countersign.format"), "3");
  assert.equal(await server.sql("SELECT epoch, url FROM countersign.lease"), "7|http://old/");
  const operatorUrl = "http://10.0.0.1:8081/";
  const taken = await store.lease.take({ name: "new", operatorUrl });
  assert.ok("epoch" in taken && taken.epoch === 8);
  await store.lease.setFrontSettings("{}");

  await server.sql(FRONT_ROLE_SQL.replace("THE-PASSWORD", "front"));
  const reader = await PostgresReader.open({
    ...options,
    access: { ...access, user: "countersign_front", password: "front" },
  });
  assert.deepEqual(await reader.active(), { epoch: 8, name: "new", operatorUrl });
  assert.equal(await reader.frontSettings(), "{}");
  const asFront = (sql: string) => server.sql(`SET ROLE countersign_front; ${sql}`);
  assert.equal(await asFront("SELECT count(*) FROM countersign.log"), "0");
  for (
    const sql of [
      "INSERT INTO countersign.log VALUES ('a', 'b')",
      "DELETE FROM countersign.anchors",
      "UPDATE countersign.lease SET epoch = 9",
      "UPDATE countersign.fence SET holder = 'x'",
      "CREATE TABLE countersign.x ()",
    ]
  ) await assert.rejects(asFront(sql), /permission denied/, sql);
  reader.close();
  store.close();
});

Deno.test("gateways that start during a backup wait to bring tables up to date, and stop no other one", async () => {
  await using server = await PostgresServer.start();
  const { port, user, password, database } = server;
  const access = { host: "127.0.0.1", port, user, password, database, tls: false };
  const running = await PostgresStore.open({ access, report: () => {} });
  await server.sql(
    "ALTER TABLE countersign.lease DROP COLUMN operator_url, DROP COLUMN front_settings",
  );
  await server.sql("UPDATE countersign.format SET version = 1");
  const backup = new PostgresConnection({ access, isReadOnly: true });
  await backup.run("BEGIN");
  for (const table of ["lease", "log", "format"]) {
    await backup.run(`SELECT FROM countersign.${table}`);
  }
  const waiting = [0, 1].map(() => Promise.withResolvers<string>());
  const starting = waiting.map(({ resolve }) => {
    const report = (text: string) => void (/database$/.test(text) && resolve(text));
    return PostgresStore.open({ access, report });
  });
  const early = Promise.race(starting).then(() => assert.fail("the tables were locked"));
  early.catch(() => {});
  for (const { promise } of waiting) {
    assert.match(await Promise.race([promise, early]), /SQLSTATE 55P03.*Waiting for the database/);
  }
  assert.equal(await running.lease.renew(0), false);
  await backup.run("COMMIT");
  const stores = await Promise.all(starting);
  assert.equal(await server.sql("SELECT version FROM countersign.format"), "3");
  for (const store of [running, ...stores]) store.close();
  backup.close();
});
