/**
 * A trial network whose log is in PostgreSQL.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { bls } from "../schemes.ts";
import type { PostgresServer } from "./postgres_server.ts";

/** Makes a trial network in `folder`; the path of its `network.json`. */
export async function createTrial(folder: string): Promise<string> {
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
  return join(out, "network.json");
}

/** Makes a trial network in `folder` whose store is at `url`. */
export async function configure(
  folder: string,
  { password }: PostgresServer,
  url: string,
): Promise<void> {
  const file = await createTrial(folder);
  const configuration = JSON.parse(await Deno.readTextFile(file));
  await Deno.writeTextFile(join(dirname(file), "password"), `${password}\n`, { mode: 0o600 });
  const store = { store: url, store_password_file: "password" };
  await Deno.writeTextFile(file, JSON.stringify({ ...configuration, ...store }));
}
