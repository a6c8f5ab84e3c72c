/**
 * A network whose log is in a KV Connect database.
 *
 * @module
 */

import { join } from "node:path";
import { KV_TOKEN, type KvConnectServer } from "../storage/kv_connect_server.ts";

/** Puts the log of the network in `folder` into the database of `server`. */
export async function storeInKvConnect(
  folder: string,
  { url }: Pick<KvConnectServer, "url">,
): Promise<void> {
  const file = join(folder, "network.json");
  const network = JSON.parse(await Deno.readTextFile(file));
  await Deno.writeTextFile(join(folder, "kv-token"), `${KV_TOKEN}\n`, { mode: 0o600 });
  const store = { store: url, store_token_file: "kv-token" };
  await Deno.writeTextFile(file, JSON.stringify({ ...network, ...store }));
}
