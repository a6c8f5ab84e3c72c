/**
 * Where a gateway has its log and its anchors: in files of its data folder, or in a database.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { loadStoreSecrets, type PostgresDatabase } from "../../config/store_database.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import type { LeaseStore } from "../../gateway/held_lease.ts";
import type { LogStore } from "../../gateway/ports.ts";
import { type AnchorDatabase, openAnchorDatabase } from "../../storage/anchors/anchor_database.ts";
import { DiskProbe, type DiskSpace, RecentResult } from "../../storage/disk_probe.ts";
import { openDatabaseAnchors, openDatabaseLog } from "../../storage/postgres/database_log.ts";
import type { KvLogStore } from "../../storage/log/kv_log_store.ts";
import { openKvLogStore } from "../../storage/log/local_log_store.ts";
import { addressText, type PostgresAccess } from "../../storage/postgres/postgres_address.ts";
import type { PostgresReplica } from "../../storage/postgres/postgres_replicas.ts";
import { PostgresReader, PostgresStore } from "../../storage/postgres/postgres_store.ts";
import { KvSuccessionReads } from "../../storage/log/kv_successions.ts";
import { openStoreKv } from "../../storage/store_kv.ts";
import { type AcceptedMark, META_KEY } from "../../storage/store_meta.ts";
import { anchorsFile, databaseFiles, storeFile } from "../data_paths.ts";
import { exists } from "../files.ts";
import type { CliIo } from "../io.ts";
import type { GatewayRun } from "./gateway_run.ts";

/** Shows whether the store accepts writes while nothing is written. */
export interface StoreProbe {
  /** Resolves if something was written within the last seconds; `storage_failed` otherwise. */
  check(): Promise<void>;
  /** The space of its disk, if known. */
  space(): Promise<DiskSpace | undefined>;
  /** The servers that follow its database, if there is one and the gateway may see them. */
  replicas(): Promise<readonly PostgresReplica[] | undefined>;
  /** The probed part: "disk" or "database". */
  readonly subject: string;
  /** Advice for the operator. */
  readonly advice: string;
}

export interface GatewayStores {
  /** Decides which of several processes takes digests; absent if only one can use the store. */
  readonly lease?: LeaseStore;
  /** Opens the connections to a database, so that nothing later waits for them; rejects with `storage_failed`. */
  connect?(): Promise<void>;
  /** For messages. */
  readonly name: string;
  /** Files that other threads may read, and whose write-ahead files grow. */
  readonly files: readonly string[];
  openLog(networkDigest: string): Promise<LogStore & Pick<KvLogStore, "allowsReaders">>;
  /** The links of the log, without its fence; none if there is no log. Not verified. */
  readLinks(): Promise<readonly SuccessionLink[]>;
  openAnchors(networkDigest: string): Promise<AnchorDatabase>;
  hasAnchors(): Promise<boolean>;
  /** Whether anchors that are missing were lost. */
  hasLog(): Promise<boolean>;
  /** A new probe, which shares no result with others; those of one data folder need different names. */
  probe(name?: string): StoreProbe;
}

/**
 * The stores that the configuration of `run` names. Its stack closes the connections. A process that opens
 * them again passes the same `accepted`.
 */
export async function openStores(
  run: GatewayRun,
  accepted: AcceptedMark,
): Promise<GatewayStores> {
  const { operator: { store: database }, options, paths, io, report, signal, opened } = run;
  if (database === undefined) return new LocalStores(paths.dataFolder, options.moved ?? false);
  const store = await PostgresStore.open({
    access: await storeAccess(database, io),
    report,
    signal,
  });
  opened.defer(() => store.close());
  return new DatabaseStores(store, addressText(database), accepted);
}

/** Credentials and certificates for connections to `database`. */
export async function storeAccess(
  database: PostgresDatabase,
  io: Pick<CliIo, "env">,
): Promise<PostgresAccess> {
  const { host, port, user, database: name, tls } = database;
  const secrets = await loadStoreSecrets(database, { env: (variable) => io.env(variable) });
  return { host, port, user, database: name, tls, ...secrets };
}

/** Files in the data folder. */
class LocalStores implements GatewayStores {
  readonly name: string;
  readonly files: readonly string[];
  readonly #folder: string;
  readonly #moved: boolean;

  constructor(folder: string, moved: boolean) {
    this.name = anchorsFile(folder);
    this.files = databaseFiles(folder);
    this.#folder = folder;
    this.#moved = moved;
  }

  openLog(networkDigest: string): Promise<KvLogStore> {
    return openKvLogStore(storeFile(this.#folder), networkDigest, { moved: this.#moved });
  }

  async readLinks(): Promise<readonly SuccessionLink[]> {
    if (!await this.hasLog()) return [];
    const reads = await openStoreKv(storeFile(this.#folder));
    try {
      return await new KvSuccessionReads(reads).links();
    } finally {
      reads.close();
    }
  }

  openAnchors(networkDigest: string): Promise<AnchorDatabase> {
    return openAnchorDatabase(anchorsFile(this.#folder), networkDigest);
  }

  hasAnchors(): Promise<boolean> {
    return exists(anchorsFile(this.#folder));
  }

  hasLog(): Promise<boolean> {
    return exists(storeFile(this.#folder));
  }

  probe(name?: string): StoreProbe {
    const probe = new DiskProbe(this.#folder, systemClock, name);
    return {
      subject: "disk",
      advice: "check free space, mount and permissions of the data folder",
      check: () => probe.check(),
      space: () => probe.space(),
      replicas: () => Promise.resolve(undefined),
    };
  }
}

/** A database that other processes can write too. */
class DatabaseStores implements GatewayStores {
  readonly files = [];
  readonly lease: LeaseStore;
  readonly #store: PostgresStore;
  readonly #accepted: AcceptedMark;

  constructor(store: PostgresStore, readonly name: string, accepted: AcceptedMark) {
    this.#store = store;
    this.lease = store.lease;
    this.#accepted = accepted;
  }

  async connect(): Promise<void> {
    await this.#store.connect();
  }

  openLog(networkDigest: string): Promise<KvLogStore> {
    return openDatabaseLog(this.#store, networkDigest, this.#accepted);
  }

  async readLinks(): Promise<readonly SuccessionLink[]> {
    return await new KvSuccessionReads(this.#store.engine("log")).links();
  }

  openAnchors(networkDigest: string): Promise<AnchorDatabase> {
    return openDatabaseAnchors(this.#store, networkDigest);
  }

  hasAnchors(): Promise<boolean> {
    return hasMeta(this.#store, "anchors");
  }

  hasLog(): Promise<boolean> {
    return hasMeta(this.#store, "log");
  }

  probe(): StoreProbe {
    const written = new RecentResult(systemClock, () => this.#store.probe());
    return {
      subject: "database",
      advice: "check the database server and the connection to it",
      check: () => written.get(),
      space: () => Promise.resolve(undefined),
      // A database that cannot be reached fails the check.
      replicas: () => this.#store.replicas().catch(() => undefined),
    };
  }
}

async function hasMeta(store: PostgresStore, name: "log" | "anchors"): Promise<boolean> {
  return (await store.engine(name).get(META_KEY)).value !== null;
}

/** The reads of a front in `database`. */
export async function openDatabaseReads(
  { io, report, signal, opened }: GatewayRun,
  database: PostgresDatabase,
): Promise<PostgresReader> {
  const access = await storeAccess(database, io);
  const options = { access, report, ...(signal !== undefined && { signal }) };
  const reader = await PostgresReader.open(options);
  opened.defer(() => reader.close());
  return reader;
}
