/**
 * {@linkcode StoreFence} on PostgreSQL: the one row of the table `fence`. All statements that use the
 * table are in this module.
 *
 * A commit locks the row for sharing, so commits do not wait for one another. A process that takes the
 * fence updates the row. So it waits for all commits of the earlier holder, and then sees them.
 *
 * A promoted replica has the row too, but may lack commits. So the fence is held on one timeline of the
 * server. On another timeline the holder has lost it; when the gateway starts again, it asks the witnesses
 * for what is missing.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { fenceLost, type StoreCommit, type StoreFence } from "../store_engine.ts";
import type { Run } from "./postgres_connection.ts";
import { statementFault } from "./postgres_fault.ts";
import type { PostgresCommit } from "./postgres_commit.ts";
import type { PostgresLease } from "./postgres_lease.ts";
import { IS_SYNCHRONOUS, SCHEMA, TIMELINE } from "./postgres_schema.ts";

/** The fence as this process holds it. */
export class PostgresFence implements StoreFence {
  /**
   * Selects one row if `$1` holds the fence, and locks it until the commit. `$1` is the id of a process,
   * a space, and a timeline.
   */
  readonly held: string;
  readonly #read: string;
  /**
   * Makes `$1` the holder. Requires that the holder is `$2` and the timeline is `$3`. Requires also that
   * the lease has epoch `$4`, unless that is null. Fails with division_by_zero otherwise.
   */
  readonly #take: string;
  readonly #run: Run;
  readonly #lease: Pick<PostgresLease, "epoch" | "timeline">;
  readonly #id = crypto.randomUUID();
  #isTaken = false;
  /**
   * The holder when this process first took or tried to take the fence. `null` if there was none,
   * `undefined` before the first try.
   */
  #found: string | null | undefined;
  /** The timeline of the lease. Without a lease, the timeline when this process first read the fence. */
  #timeline: string | undefined;

  /** While `lease` has an epoch, the fence can be taken only by the holder of the lease, on its timeline. */
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
    // It is ours, also if `take()` failed: the database may have committed that without an answer.
    if (holder === this.#id) return;
    if (this.#isTaken || holder !== this.#found) throw fenceLost();
  }

  guard(commit: StoreCommit): StoreCommit {
    if (!this.#isTaken) throw fenceLost();
    return (commit as PostgresCommit).guardedBy(`${this.#id} ${this.#timeline}`);
  }

  /**
   * Resolves when everything that this process has read is durable. After a crash, PostgreSQL shows commits
   * that its synchronous standby may lack. So this commits once more: a commit is acknowledged only after
   * all earlier ones are on the standby.
   */
  async confirm(): Promise<void> {
    await this.#takeFrom(this.#id);
  }

  /** Resolves if the database accepts a write or, while this process does not hold the fence, a read. */
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

  /** The present holder. `fence_lost` if the timeline has changed. */
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
