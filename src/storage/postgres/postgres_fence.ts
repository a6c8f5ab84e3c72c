/**
 * {@linkcode StoreFence} on PostgreSQL: the one row of the table `fence`. This module has all statements
 * with the fence.
 *
 * A commit locks the row for sharing, so that commits do not wait for one another, and a process that takes
 * the fence waits for all commits of the earlier holder, and they are visible to it.
 *
 * A replica that was promoted has the row too, and may lack commits. So a holder is bound to the timeline of
 * the server: on another one it has lost the fence, and its next start asks the witnesses for what is missing.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { fenceLost, type StoreCommit, type StoreFence } from "../store_engine.ts";
import type { Run } from "./postgres_connection.ts";
import { statementFault } from "./postgres_fault.ts";
import type { PostgresLease } from "./postgres_lease.ts";
import { IS_SYNCHRONOUS, SCHEMA, TIMELINE } from "./postgres_schema.ts";

/** A commit that can require a holder of the fence. */
export interface GuardedCommit extends StoreCommit {
  /** `holder` is the parameter of {@linkcode PostgresFence.held}. */
  guardedBy(holder: string): GuardedCommit;
}

/** The fence as this process holds it. */
export class PostgresFence implements StoreFence {
  /** A query with one row if `$1`, an id and a timeline, holds the fence; the row is locked until the commit. */
  readonly held: string;
  readonly #read: string;
  /**
   * Fails with division_by_zero unless the holder is `$2`, the timeline `$3` and the lease, if there is one,
   * that of epoch `$4`.
   */
  readonly #take: string;
  readonly #run: Run;
  readonly #lease: Pick<PostgresLease, "epoch" | "timeline">;
  readonly #id = crypto.randomUUID();
  #isTaken = false;
  /** The holder when this process first read the fence: `null` without one, `undefined` before. */
  #found: string | null | undefined;
  /** That of the lease; without one, that when this process first read the fence. */
  #timeline: string | undefined;

  /** While `lease` has an epoch, the fence can be taken only with that lease, and on its timeline. */
  constructor(run: Run, lease: Pick<PostgresLease, "epoch" | "timeline">) {
    const fence = `${SCHEMA}.fence`;
    this.held = `SELECT 1 FROM ${fence} WHERE holder || ' ' || ${TIMELINE} = $1 FOR SHARE`;
    this.#read = `SELECT holder, ${TIMELINE} FROM ${fence}`;
    this.#take = `WITH taken AS (UPDATE ${fence} SET holder = $1
        WHERE holder IS NOT DISTINCT FROM $2 AND ${TIMELINE} = $3 AND ($4::bigint IS NULL
          OR EXISTS (SELECT FROM ${SCHEMA}.lease WHERE epoch = $4)) RETURNING 1)
      SELECT ${IS_SYNCHRONOUS} / (SELECT count(*) FROM taken)`;
    this.#run = run;
    this.#lease = lease;
  }

  async take(): Promise<void> {
    const holder = await this.#holder();
    if (this.#found === undefined) this.#found = holder;
    await this.#takeFrom(holder);
    this.#isTaken = true;
  }

  async check(): Promise<void> {
    if (this.#found === undefined) return;
    const holder = await this.#holder();
    // With our own id, the fence was taken although that was reported as failed.
    if (holder !== this.#id && (this.#isTaken || holder !== this.#found)) throw fenceLost();
  }

  guard(commit: StoreCommit): StoreCommit {
    if (!this.#isTaken) throw fenceLost();
    return (commit as GuardedCommit).guardedBy(`${this.#id} ${this.#timeline}`);
  }

  /**
   * Resolves when all that this process reads is durable. After a crash PostgreSQL shows commits that its
   * synchronous standby lacks; a commit is acknowledged after all earlier ones are on the standby.
   */
  async confirm(): Promise<void> {
    await this.#takeFrom(this.#id);
  }

  /** Resolves if the database accepts writes, or answers while this process may not write. */
  async probe(): Promise<void> {
    if (this.#isTaken) await this.confirm();
    else await this.#holder();
  }

  async #takeFrom(holder: string | null): Promise<void> {
    try {
      await this.#run(this.#take, [this.#id, holder, this.#timeline, this.#lease.epoch ?? null]);
    } catch (cause) {
      if (!statementFault(cause).isConflict) throw cause;
      await this.#holder();
      throw fenceLost();
    }
  }

  /** `fence_lost` if the timeline is another one than at first. */
  async #holder(): Promise<string | null> {
    const [row] = await this.#run(this.#read);
    const [holder, timeline] = row!;
    this.#timeline ??= this.#lease.timeline ?? timeline!;
    if (timeline === this.#timeline) return holder!;
    throw new CountersignError(
      "fence_lost",
      "Cannot continue with the store: a replica of its database was promoted, and may lack commits. " +
        "Start again to ask the witnesses",
    );
  }
}
