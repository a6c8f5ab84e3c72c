/**
 * Damage done on purpose between two crashes, which the checks of the crash loop have to notice.
 *
 * @module
 */

import { join } from "node:path";
import { HASH_LENGTH } from "../../src/bytes.ts";
import { logKeys } from "../../src/storage/log/log_keys.ts";
import { decodeIntakeRow, encodeIntakeRow } from "../../src/storage/log/record_codec.ts";
import type { Deployment } from "./deployment.ts";

/** Loses one accepted hash of a store that nobody has open: another stands in its place. */
export async function loseOne({ dataFolder }: Deployment): Promise<string> {
  using store = await Deno.openKv(join(dataFolder, "store.kv"));
  const selector = { prefix: logKeys.intakes() };
  for await (const { key, value } of store.list<Uint8Array>(selector, { limit: 1 })) {
    const row = decodeIntakeRow(key[1] as number, value);
    const lost = row.digests.slice(0, HASH_LENGTH).toHex();
    crypto.getRandomValues(row.digests.subarray(0, HASH_LENGTH));
    await store.set(key, encodeIntakeRow(row));
    return lost;
  }
  throw new Error("Cannot lose a hash: the store has none");
}

/** Copies the network's folder, with the store and what the witnesses remember, while all are dead. */
export async function copyNetwork({ folder }: Deployment, to: string): Promise<void> {
  await copyFolder(join(folder, "net"), join(folder, to));
}

/** Puts such a copy back: the gateway and its witnesses have forgotten what came after it. */
export async function restoreNetwork({ folder }: Deployment, from: string): Promise<void> {
  await Deno.remove(join(folder, "net"), { recursive: true });
  await copyFolder(join(folder, from), join(folder, "net"));
}

/** All of a folder, into a new one. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}
