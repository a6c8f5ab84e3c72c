/**
 * A trial network whose log is in PostgreSQL.
 *
 * @module
 */

import { join } from "node:path";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { bls } from "../schemes.ts";
import type { PostgresServer } from "./postgres_server.ts";

/** Makes a trial network in `folder` whose store is at `url`. */
export async function configure(
  folder: string,
  { password }: PostgresServer,
  url: string,
): Promise<void> {
  const out = join(folder, "data", "network");
  const plan = {
    witnesses: 3,
    threshold: 2,
    kind: "embedded",
    basePort: 0,
    scheme: "ed25519",
  } as const;
  await Deno.mkdir(join(folder, "data"));
  await createNetwork({ ...plan, out }, bls);
  const file = join(out, "network.json");
  const configuration = JSON.parse(await Deno.readTextFile(file));
  await Deno.writeTextFile(join(out, "password"), `${password}\n`, { mode: 0o600 });
  const store = { store: url, store_password_file: "password" };
  await Deno.writeTextFile(file, JSON.stringify({ ...configuration, ...store }));
}
