/**
 * Damage done on purpose between two crashes, which the checks of the crash loop have to notice.
 *
 * @module
 */

import { join } from "node:path";
import { HASH_LENGTH } from "../../src/base/bytes.ts";
import type { RoundRecord } from "../../src/proof/format/records.ts";
import { logKeys } from "../../src/storage/log/log_keys.ts";
import {
  decodeIntakeRow,
  decodeStoredRound,
  encodeIntakeRow,
} from "../../src/storage/log/record_codec.ts";
import type { StoreEngine } from "../../src/storage/store_engine.ts";
import type { Deployment } from "./deployment.ts";

/** A hash that the store has lost. */
export interface LostHash {
  readonly hash: string;
  /** The later hashes of its round, in order. Without the lost one, the round's digests do not verify. */
  readonly neighbours: readonly string[];
}

/**
 * Replaces one accepted hash in a store that no process has open: the first hash of a round with several.
 */
export async function loseOne(store: StoreEngine): Promise<LostHash> {
  const { first, size } = await firstSharedRound(store);
  const hashes: string[] = [];
  for await (const { key, value } of store.list<Uint8Array>({ prefix: logKeys.intakes() })) {
    const row = decodeIntakeRow(key[1] as number, value);
    const end = row.first + row.digests.length / HASH_LENGTH;
    for (let at = Math.max(first, row.first); at < Math.min(first + size, end); at++) {
      const start = (at - row.first) * HASH_LENGTH;
      const digest = row.digests.subarray(start, start + HASH_LENGTH);
      hashes.push(digest.toHex());
      if (at > first) continue;
      crypto.getRandomValues(digest);
      await store.atomic().set(key, encodeIntakeRow(row)).commit();
    }
    if (end >= first + size) break;
  }
  const [hash, ...neighbours] = hashes;
  return { hash: hash!, neighbours };
}

async function firstSharedRound(store: StoreEngine): Promise<RoundRecord> {
  for await (const { key, value } of store.list<Uint8Array>({ prefix: logKeys.rounds() })) {
    const round = decodeStoredRound(key[1] as number, value);
    if (round.size > 1) return round;
  }
  throw new Error("Cannot lose a hash: the store has no round of several");
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
