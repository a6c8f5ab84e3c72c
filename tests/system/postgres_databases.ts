/**
 * Databases of one shared server, for tests of stores.
 *
 * @module
 */

import { PostgresStore } from "../../src/storage/postgres/postgres_store.ts";
import { accessTo } from "./postgres_access.ts";
import { PostgresServer } from "./postgres_server.ts";

/** The server of all tests in one process. */
export const SERVER = await PostgresServer.start();
globalThis.addEventListener("unload", () => SERVER.endNow());

/** The name of a database of the shared server in which the store of no earlier test is. */
export async function newDatabase(): Promise<string> {
  // To make another one takes longer than most of the tests.
  await SERVER.sql("DROP SCHEMA IF EXISTS countersign CASCADE");
  return SERVER.database;
}

/** Opens the store in `database` of the shared server. */
export async function openStore(database: string): Promise<PostgresStore> {
  const access = accessTo(SERVER, database);
  return await PostgresStore.open({ access, report: () => {} });
}
