/**
 * {@linkcode StoreEngine} on a table of keys and values in PostgreSQL.
 *
 * @module
 */

import type { StoreEngine, VersionedEntry } from "../store_engine.ts";
import { encodeKey } from "../key_encoding.ts";
import { storeFault } from "../store_fault.ts";
import { PostgresCommit } from "./postgres_commit.ts";
import { type PostgresFault, statementFault } from "./postgres_fault.ts";
import type { PostgresFence } from "./postgres_fence.ts";
import type { PostgresPool } from "./postgres_pool.ts";
import { PostgresReads } from "./postgres_reads.ts";
import type { TableName } from "./postgres_schema.ts";

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
