/**
 * What a client needs to connect to a server of the tests.
 *
 * @module
 */

import type { PostgresAccess } from "../../src/storage/postgres/postgres_address.ts";
import type { PostgresServer } from "./postgres_server.ts";

export function accessTo(server: PostgresServer, database: string): PostgresAccess {
  const { port, user, password } = server;
  return { host: "127.0.0.1", port, user, password, database, tls: false };
}
