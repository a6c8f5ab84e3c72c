/**
 * Servers and databases that a store does not start on.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PostgresReader, PostgresStore } from "../../src/storage/postgres/postgres_store.ts";
import { accessTo } from "./postgres_access.ts";
import { PostgresServer } from "./postgres_server.ts";

Deno.test("a store in PostgreSQL refuses wrong passwords, later formats and unsafe settings", async () => {
  await using server = await PostgresServer.start();
  const access = accessTo(server, "postgres");
  const reports: string[] = [];
  const report = (message: string) => void reports.push(message);
  const refusal = (message: RegExp) => ({ code: "invalid_configuration", message });
  await assert.rejects(
    PostgresStore.open({ access: { ...access, password: "not it" }, report }),
    (error: Error) => !error.message.includes("not it") && /28P01/.test(error.message),
  );
  await assert.rejects(PostgresReader.open({ access, report }), { code: "configuration_missing" });
  (await PostgresStore.open({ access, report })).close();
  assert.match(reports[0]!, /no synchronous standby/);
  for (const setting of ["fsync", "full_page_writes", "synchronous_commit"]) {
    await server.stop();
    await server.start({ [setting]: "off" });
    const opened = PostgresStore.open({ access, report });
    await assert.rejects(opened, refusal(new RegExp(`${setting} is off`)));
  }
  await server.stop();
  await server.start({ synchronous_standby_names: "*", synchronous_commit: "local" });
  (await PostgresStore.open({ access, report })).close();
  assert.match(reports.at(-1)!, /no synchronous standby \(synchronous_commit is local\)/);
  await server.stop();
  await server.start();
  await server.sql("UPDATE countersign.format SET version = version + 1");
  await assert.rejects(PostgresStore.open({ access, report }), { code: "format_unsupported" });
});
