/**
 * A store in PostgreSQL: its connections, its fence and its tables.
 *
 * @module
 */

import { type Clock, systemClock } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import type { Report } from "../../base/report.ts";
import type { StoreEngine, StoreReads, VersionedEntry } from "../store_engine.ts";
import { addressText, type PostgresAccess } from "./postgres_address.ts";
import type { Run } from "./postgres_connection.ts";
import { PostgresFault, statementFault } from "./postgres_fault.ts";
import { PostgresFence } from "./postgres_fence.ts";
import { PostgresLease } from "./postgres_lease.ts";
import { PostgresPool } from "./postgres_pool.ts";
import { PostgresReads } from "./postgres_reads.ts";
import { followingReplicas, type PostgresReplica } from "./postgres_replicas.ts";
import { checkServer, hasSchema, openSchema, type TableName } from "./postgres_schema.ts";
import { encodeKey } from "../key_encoding.ts";
import { storeFault } from "../store_fault.ts";
import { PostgresCommit } from "./postgres_commit.ts";

/** Commits in flight: of rounds, of the tree, of heads, of the index or of anchors. */
const WRITERS = 3;
const READERS = 2;
/** Pause between two attempts to reach a server at the start. */
const REACH_AGAIN_MS = 1_000;

export interface PostgresOptions {
  readonly access: PostgresAccess;
  readonly report: Report;
  readonly clock?: Clock;
  /** Ends the attempts to reach the server. */
  readonly signal?: AbortSignal | undefined;
}

interface Pools {
  readonly reads: PostgresPool;
  readonly writes: PostgresPool;
}

/** A store that this process may write to. */
export class PostgresStore {
  readonly fence: PostgresFence;
  readonly lease: PostgresLease;
  readonly #pools: Pools;

  private constructor(pools: Pools) {
    this.#pools = pools;
    const run: Run = (text, values) => pools.writes.run(text, values);
    this.lease = new PostgresLease(run);
    this.fence = new PostgresFence(run, this.lease);
  }

  /**
   * Connects, checks the server and creates missing tables. Waits for a server that cannot be reached.
   * `invalid_configuration` if the server refuses this client or has unsafe settings, `format_unsupported`
   * for the tables of a later program, `storage_failed` once `signal` aborts.
   */
  static async open(options: PostgresOptions): Promise<PostgresStore> {
    const { access, report, clock = systemClock } = options;
    const reported = new Set<string>();
    const check = async (run: Run) => {
      for (const warning of await checkServer(run, access)) {
        if (!reported.has(warning)) report(warning);
        reported.add(warning);
      }
    };
    const writes = new PostgresPool(WRITERS, { access, check, isReadOnly: false, clock });
    const reads = new PostgresPool(READERS, { access, check, isReadOnly: true, clock });
    try {
      await reached(options, () => openSchema((text, values) => writes.run(text, values)));
      return new PostgresStore({ reads, writes });
    } catch (error) {
      writes.close();
      throw error;
    }
  }

  engine(table: TableName): PostgresEngine {
    return new PostgresEngine(table, this.#pools, this.fence);
  }

  /** Resolves also if the database answers while this process may not write. */
  probe(): Promise<void> {
    return this.fence.probe();
  }

  /** Opens all connections, so that no later statement waits for one; rejects with a `PostgresFault`. */
  async connect(): Promise<void> {
    await Promise.all([this.#pools.reads.connect(), this.#pools.writes.connect()]);
  }

  /** See {@linkcode followingReplicas}. */
  replicas(): Promise<readonly PostgresReplica[] | undefined> {
    return followingReplicas((text, values) => this.#pools.reads.run(text, values));
  }

  close(): void {
    this.#pools.reads.close();
    this.#pools.writes.close();
  }
}

/** A store that this process only reads. */
export class PostgresReader {
  readonly #pool: PostgresPool;

  private constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  /** As {@linkcode PostgresStore.open}; `configuration_missing` if the database has no store. */
  static async open(options: PostgresOptions): Promise<PostgresReader> {
    const { access, clock = systemClock } = options;
    const check = async (run: Run) => void await checkServer(run, access);
    const pool = new PostgresPool(READERS, { access, check, isReadOnly: true, clock });
    try {
      const isThere = await reached(
        options,
        () => hasSchema((text, values) => pool.run(text, values)),
      );
      if (isThere) return new PostgresReader(pool);
      throw new CountersignError(
        "configuration_missing",
        `Cannot read "${addressText(access)}": the database has no store of a gateway`,
      );
    } catch (error) {
      pool.close();
      throw error;
    }
  }

  reads(table: TableName): StoreReads {
    return new PostgresReads(table, this.#pool);
  }

  close(): void {
    this.#pool.close();
  }
}

/** Repeats `use` until the server can be reached. */
async function reached<T>(options: PostgresOptions, use: () => Promise<T>): Promise<T> {
  const { report, clock = systemClock, signal } = options;
  for (let isFirst = true;; isFirst = false) {
    try {
      return await use();
    } catch (error) {
      if (!(error instanceof PostgresFault)) throw error;
      if (error.isRefusal) {
        throw new CountersignError("invalid_configuration", error.message, { cause: error });
      }
      if (!(error.endsConnection || error.isLocked) || signal?.aborted) throw error;
      if (isFirst) report(`${error.message}. Waiting for the database`, { level: "error" });
    }
    await clock.sleep(REACH_AGAIN_MS, signal);
  }
}

/** Does not close the pools, which several tables share. */
export class PostgresEngine extends PostgresReads implements StoreEngine {
  readonly #table: TableName;
  readonly #writes: Pick<PostgresPool, "run">;
  readonly #fence: PostgresFence;
  /** Keys of commits with unknown outcomes, and each key's last fault; not those stored since. */
  readonly #uncertain = new Map<string, PostgresFault>();

  constructor(
    table: TableName,
    pools: {
      readonly reads: Pick<PostgresPool, "run">;
      readonly writes: Pick<PostgresPool, "run">;
    },
    fence: PostgresFence,
  ) {
    super(table, pools.reads);
    this.#table = table;
    this.#writes = pools.writes;
    this.#fence = fence;
  }

  /** Returns records of an uncertain commit only once they are durable. */
  override async get<T>(key: Deno.KvKey): Promise<VersionedEntry<T>> {
    if (this.#uncertain.size === 0) return await super.get<T>(key);
    const name = encodeKey(key).toHex();
    const fault = this.#uncertain.get(name);
    const entry = await super.get<T>(key);
    // The server may still run a commit that has stored nothing yet: its keys stay uncertain.
    if (fault === undefined || entry.versionstamp === null) return entry;
    try {
      await this.#fence.confirm();
    } catch (cause) {
      throw storeFault("read", cause, key);
    }
    if (this.#uncertain.get(name) === fault) this.#uncertain.delete(name);
    return entry;
  }

  atomic(): PostgresCommit {
    return new PostgresCommit(this.#table, this.#fence.held, (commit) => this.#commit(commit));
  }

  async #commit(commit: PostgresCommit): Promise<{ readonly ok: boolean }> {
    const { text, values, isPlannedOnce } = commit.statement();
    try {
      await this.#writes.run(text, values, { isPlannedOnce });
      for (const name of commit.keys) this.#uncertain.delete(name);
      return { ok: true };
    } catch (cause) {
      const fault = statementFault(cause);
      if (fault.isConflict) return { ok: false };
      if (!fault.isAborted) { for (const name of commit.keys) this.#uncertain.set(name, fault); }
      throw fault;
    }
  }
}
