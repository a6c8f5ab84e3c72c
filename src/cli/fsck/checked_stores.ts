/**
 * Opens the stores that `fsck` checks: in the data folder of a stopped gateway, or in a database.
 *
 * @module
 */

import { basename } from "node:path";
import type { StoredLog } from "../../logs/audit/ports.ts";
import type { PostgresDatabase } from "../../config/store_database.ts";
import { CountersignError } from "../../base/errors.ts";
import { anchorsFile, lockFile, storeFile } from "../../server/data_paths.ts";
import { storeAccess } from "../../server/gateway/gateway_stores.ts";
import { type LogNetwork, networkDigest } from "../../server/gateway/log_network.ts";
import {
  type KvStoredAnchors,
  openStoredAnchors,
  storedAnchorsIn,
} from "../../storage/anchors/kv_stored_anchors.ts";
import { holdLock, type LockFile } from "../../storage/lock_file.ts";
import { KvSuccessionReads } from "../../storage/log/kv_successions.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import { type FollowedNetwork, followSuccession } from "../../proof/verify/followed_network.ts";
import { portableCrypto } from "../../proof/verify/verifier_crypto.ts";
import { openAuditedFile, storedLogIn } from "../../storage/log/kv_stored_log.ts";
import { addressText } from "../../storage/postgres/postgres_address.ts";
import { PostgresReader } from "../../storage/postgres/postgres_store.ts";
import type { CommandContext } from "../command_context.ts";
import type { StoreReads } from "../../storage/store_engine.ts";
import { isWritable, SnapshotCopy } from "./snapshot_copy.ts";
import { exists } from "../../server/files.ts";

export interface CheckedStores {
  /** For the report. */
  readonly name: string;
  readonly log: StoredLog;
  /** The network with all epochs of the log. */
  readonly network: FollowedLog;
  /** `undefined` if there are no anchors. */
  readonly openAnchors: () => Promise<KvStoredAnchors | undefined>;
}

/** The stores in a data folder. */
export interface LocalStores extends CheckedStores {
  readonly reads: StoreReads;
}

/**
 * The stores in the data folder `folder`, locked, which stays as it is. `data_in_use` if a gateway has it
 * open.
 */
export async function openLocalStores(
  folder: string,
  network: LogNetwork,
  context: CommandContext,
  opened: AsyncDisposableStack,
): Promise<LocalStores> {
  await requireStore(folder);
  // A backup has no lock file.
  const lock = await lockFolder(folder);
  opened.defer(() => lock?.release());
  const files = [storeFile(folder), anchorsFile(folder)];
  const snapshot = await copyOfSnapshot(folder, files, context);
  if (snapshot !== undefined) opened.use(snapshot);
  else opened.use(await SideFiles.of(folder, files));
  const dataFolder = snapshot?.folder ?? folder;
  const path = storeFile(dataFolder);
  const { reads, found } = await openAuditedFile(path);
  opened.defer(() => reads.close());
  const links = await new KvSuccessionReads(reads).links();
  const followed = await followedLog(network, links);
  const digest = firstDigest(network, links);
  return {
    name: folder,
    reads,
    log: await storedLogIn(reads, path, digest, { found }),
    network: followed,
    openAnchors: () => openStoredAnchors(anchorsFile(dataFolder), digest),
  };
}

/** Reads a store while a gateway may write to it: stop the gateway for a clean result. */
export async function openDatabaseStores(
  database: PostgresDatabase,
  network: LogNetwork,
  { io }: CommandContext,
  opened: AsyncDisposableStack,
): Promise<CheckedStores> {
  const name = addressText(database);
  const access = await storeAccess(database, io);
  const reader = await PostgresReader.open({ access, report: (line) => io.err(line) });
  opened.defer(() => reader.close());
  const links = await new KvSuccessionReads(reader.reads("log")).links();
  const followed = await followedLog(network, links);
  const digest = firstDigest(network, links);
  return {
    name,
    network: followed,
    log: await storedLogIn(reader.reads("log"), name, digest),
    openAnchors: () => storedAnchorsIn(reader.reads("anchors"), digest),
  };
}

/** A network that a log can be checked with, and the epochs of the log. */
export type FollowedLog = LogNetwork & FollowedNetwork;

/** `invalid_configuration` unless `links` lead from or to `network`. */
export async function followedLog(
  network: LogNetwork,
  links: readonly SuccessionLink[],
): Promise<FollowedLog> {
  if (links.length === 0) return network;
  const { failure, network: followed } = await followSuccession(
    await portableCrypto(),
    network,
    links,
  );
  if (failure === undefined) return { ...network, ...followed, log_vkey: network.log_vkey };
  throw new CountersignError(
    "store_corrupt",
    `Cannot follow the links of the store: ${failure.reason} (${failure.field ?? "chain"}). ` +
      "--network-config has to name a configuration of this log",
  );
}

/** The digest with which the store was created. */
export function firstDigest(
  network: NetworkConfiguration,
  [first]: readonly SuccessionLink[],
): string {
  return networkDigest(
    first?.predecessor ?? network,
  );
}

/** Before the lock, which would create a file in a mistyped folder. */
async function requireStore(dataFolder: string): Promise<void> {
  const path = storeFile(dataFolder);
  if (await Deno.stat(path).then((file) => file.isFile, () => false)) return;
  throw new CountersignError(
    "configuration_missing",
    `Cannot check "${dataFolder}": it is not the data folder of a gateway, it has no ` +
      basename(path),
  );
}

/** A copy of `files` if they are read-only, as in a mounted snapshot. */
async function copyOfSnapshot(
  dataFolder: string,
  files: readonly string[],
  { io }: CommandContext,
): Promise<SnapshotCopy | undefined> {
  if (await isWritable(files[0]!)) return undefined;
  const copy = await SnapshotCopy.create();
  io.err(`"${dataFolder}" is read-only: checking a copy of its databases in "${copy.folder}"`);
  try {
    for (const path of files) await copy.add(path);
    return copy;
  } catch (error) {
    await copy[Symbol.asyncDispose]();
    throw error;
  }
}

async function lockFolder(
  dataFolder: string,
): Promise<LockFile | undefined> {
  try {
    return await holdLock(lockFile(dataFolder));
  } catch (cause) {
    throw new CountersignError(
      "data_in_use",
      `Cannot check "${dataFolder}": a gateway has it open. ` +
        "Stop the gateway, or check it while it runs with --gateway URL",
      { cause },
    );
  }
}

/**
 * The files that SQLite makes beside a database that it opens for reading, and leaves there: an empty write-ahead
 * file, and shared memory. The latter has no data: where a killed gateway left one, it may change.
 *
 * Disposing removes those that were made since. Databases must be closed before.
 */
class SideFiles implements AsyncDisposable {
  readonly #dataFolder: string;
  readonly #hadLock: boolean;
  /** By write-ahead file, the files of a database that were not there. */
  readonly #missing: ReadonlyMap<string, readonly string[]>;

  private constructor(
    dataFolder: string,
    hadLock: boolean,
    missing: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#dataFolder = dataFolder;
    this.#hadLock = hadLock;
    this.#missing = missing;
  }

  /** Those of `databases`, whose data folder is locked if it has a lock file. */
  static async of(dataFolder: string, databases: readonly string[]): Promise<SideFiles> {
    const missing = new Map<string, readonly string[]>();
    for (const path of databases) {
      const [wal, memory] = [`${path}-wal`, `${path}-shm`];
      const there = await Promise.all([exists(wal), exists(memory)]);
      missing.set(wal, [wal, memory].filter((_, index) => !there[index]));
    }
    return new SideFiles(dataFolder, await exists(lockFile(dataFolder)), missing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A gateway that was started meanwhile on a folder without a lock needs them.
    if (!this.#hadLock && await exists(lockFile(this.#dataFolder))) return;
    for (const [wal, files] of this.#missing) {
      const { size } = await Deno.stat(wal).catch(() => ({ size: 0 }));
      if (size > 0 && files.includes(wal)) continue;
      for (const file of files) await Deno.remove(file).catch(() => {});
    }
  }
}
