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

/** The name of a new database of the shared server. */
export async function newDatabase(): Promise<string> {
  const url = await SERVER.createDatabase();
  return new URL(url).pathname.slice(1);
}

/** Opens the store in `database` of the shared server. */
export async function openStore(database: string): Promise<PostgresStore> {
  const access = accessTo(SERVER, database);
  return await PostgresStore.open({ access, report: () => {} });
}
