/**
 * A store in a database of KV Connect, which may have records of others as well:
 *
 *     ["cs", "log", ...]       as in `store.kv`
 *     ["cs", "anchors", ...]   as in `anchors.kv`
 *     ["cs", "lease", ...]     see `kv_lease.ts`
 *     ["cs", "probe"]          written to see whether the database accepts writes
 *     ["cs", "check", ...]     scratch records of `store check`
 *
 * The limits of a commit count the prefix of each key twice, so it is short.
 *
 * @module
 */

import { type Clock, systemClock } from "../clock.ts";
import {
  openRemoteKv,
  type RemoteCommit,
  type RemoteDatabase,
  type RemoteKv,
} from "./kv_connect.ts";
import { KvLease } from "./kv_lease.ts";
import { KvFence } from "./log/kv_fence.ts";
import type { DatabaseStore } from "./log/database_log.ts";
import type { StoreCommit } from "./store_engine.ts";
import { storeFault } from "./store_fault.ts";

export const KV_CONNECT_PREFIX = "cs";

export class KvConnectStore implements DatabaseStore {
  readonly allowsReaders = false;
  readonly fence: KvFence;
  readonly lease: KvLease;
  readonly #kv: RemoteKv;

  private constructor(kv: RemoteKv) {
    const [log, lease] = [kv.under("log"), kv.under("lease")];
    this.#kv = kv;
    this.lease = new KvLease(lease, () => performance.now());
    this.fence = new RemoteFence(log, (commit) => {
      this.lease.guard(lease.within(commit as RemoteCommit));
    });
  }

  /** Rejects like `openRemoteKv`. */
  static async open(database: RemoteDatabase, clock: Clock = systemClock): Promise<KvConnectStore> {
    return new KvConnectStore(await openRemoteKv(database, [KV_CONNECT_PREFIX], clock));
  }

  engine(name: "log" | "anchors"): RemoteKv {
    return this.#kv.under(name);
  }

  async probe(): Promise<void> {
    try {
      await this.#kv.under("probe").atomic().set([], 1).commit();
    } catch (cause) {
      throw storeFault("write", cause);
    }
  }

  close(): void {
    this.#kv.close();
  }
}

/** The fence of commits to any engine of the database. */
class RemoteFence extends KvFence {
  readonly #log: RemoteKv;

  constructor(log: RemoteKv, onTake: (commit: StoreCommit) => unknown) {
    super(log, onTake);
    this.#log = log;
  }

  override guard(commit: StoreCommit): StoreCommit {
    super.guard(this.#log.within(commit as RemoteCommit));
    return commit;
  }
}
