/**
 * What a gateway relies on in PostgreSQL. A commit is one statement: it locks the row of the fence for sharing
 * when it checks it, and keeps the lock until it is durable or aborted. A process that takes the fence waits
 * for all of them. A lost connection leaves the outcome unknown. The lease is by the clock of the server.
 *
 * @module
 */

import {
  LEASE_MS,
  type LeaseHolder,
  type LeaseStore,
  type TakenLease,
} from "../../src/gateway/held_lease.ts";
import type { MemoryLog } from "../gateway/memory_log.ts";
import type { Fault } from "../gateway/memory_store.ts";
import type { Timeline } from "./timeline.ts";

/** No replica is promoted. */
const TIMELINE = "1";

/** The database of one log. */
export class DatabaseModel {
  readonly #timeline: Timeline;
  /** Commits that have locked the row of the fence. */
  #sharing = 0;
  readonly #waiting: (() => void)[] = [];
  #lease: { readonly epoch: number; readonly holder: LeaseHolder; readonly endsMs: number } = {
    epoch: 0,
    holder: { name: "nobody" },
    endsMs: -Infinity,
  };

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Locks the row of the fence for a commit; the result unlocks it. */
  share(): () => void {
    this.#sharing++;
    return () => {
      if (--this.#sharing > 0) return;
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
  }

  /** Resolves when no commit has a lock. */
  async unshared(): Promise<void> {
    while (this.#sharing > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  get epoch(): number {
    return this.#lease.epoch;
  }

  take(holder: LeaseHolder): TakenLease {
    const { epoch, holder: heldBy, endsMs } = this.#lease;
    if (endsMs > this.#timeline.elapsedMs) return { heldBy, timeline: TIMELINE };
    this.#lease = { epoch: epoch + 1, holder, endsMs: this.#endsMs };
    return { epoch: epoch + 1, timeline: TIMELINE };
  }

  /** Ends lease `epoch` now, or in {@linkcode LEASE_MS}; false if it is another process's. */
  renew(epoch: number, isReleased = false): boolean {
    if (this.#lease.epoch !== epoch) return false;
    this.#lease = { ...this.#lease, endsMs: isReleased ? -Infinity : this.#endsMs };
    return true;
  }

  get #endsMs(): number {
    return this.#timeline.elapsedMs + LEASE_MS;
  }
}

/** Runs a statement; rejects with `storage_failed` if the connection is lost, before or after it. */
export type RunStatement = <T>(what: string, act: () => T) => Promise<T>;

/** The lease as one process uses it. */
export class LeaseModel implements LeaseStore {
  readonly #database: DatabaseModel;
  readonly #run: RunStatement;
  #epoch: number | undefined;

  constructor(database: DatabaseModel, run: RunStatement) {
    this.#database = database;
    this.#run = run;
  }

  /** Whether this process has the lease, with which it may take the fence. */
  get isHeld(): boolean {
    return this.#epoch === this.#database.epoch;
  }

  reach(): Promise<void> {
    return this.#run("reached", () => {});
  }

  async take(holder: LeaseHolder): Promise<TakenLease> {
    const taken = await this.#run("lease taken", () => this.#database.take(holder));
    if ("epoch" in taken) this.#epoch = taken.epoch;
    return taken;
  }

  renew(epoch: number): Promise<boolean> {
    return this.#run("lease renewed", () => this.#database.renew(epoch));
  }

  async release(epoch: number): Promise<void> {
    await this.#run("lease released", () => this.#database.renew(epoch, true));
  }
}

/**
 * What a fault of Deno KV is in PostgreSQL: a commit that is aborted in favour of another one, for its order
 * (40001) or a deadlock (40P01), is an error, and nothing of it is stored.
 */
export function postgresFault(fault: Fault | undefined): Fault | undefined {
  return fault === "conflict" ? "fail_not_stored" : fault;
}

const databases = new WeakMap<MemoryLog, DatabaseModel>();

/** The database that `log` is in. */
export function databaseOf(log: MemoryLog, timeline: Timeline): DatabaseModel {
  const known = databases.get(log);
  if (known !== undefined) return known;
  const database = new DatabaseModel(timeline);
  databases.set(log, database);
  return database;
}
