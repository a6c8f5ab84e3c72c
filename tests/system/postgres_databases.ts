/**
 * Databases of one shared server, for tests of stores.
 *
 * @module
 */

import type { PostgresAccess } from "../../src/storage/postgres/postgres_address.ts";
import { PostgresStore } from "../../src/storage/postgres/postgres_store.ts";
import { PostgresServer } from "./postgres_server.ts";

/** The server of all tests in one process. */
export const SERVER = await PostgresServer.start();
globalThis.addEventListener("unload", () => SERVER.endNow());

/** The name of a new database of the shared server. */
export async function newDatabase(): Promise<string> {
  const url = await SERVER.createDatabase();
  return new URL(url).pathname.slice(1);
}

/** What a client needs to connect to `database`. */
export function accessTo(server: PostgresServer, database: string): PostgresAccess {
  const { port, user, password } = server;
  return { host: "127.0.0.1", port, user, password, database, tls: false };
}

/** Opens the store in `database` of the shared server. */
export async function openStore(database: string): Promise<PostgresStore> {
  const access = accessTo(SERVER, database);
  return await PostgresStore.open({ access, report: () => {} });
}
