/**
 * The log and the anchors of a gateway in PostgreSQL.
 *
 * @module
 */

import { type Clock, systemClock } from "../../clock.ts";
import { type AnchorDatabase, anchorDatabaseOn } from "../anchors/anchor_database.ts";
import { KvLogStore, openLogMeta } from "../log/kv_log_store.ts";
import type { LogStore } from "../../gateway/ports.ts";
import { ReplicaReads } from "../replica_reads.ts";
import { fenceLost, type StoreFence } from "../store_engine.ts";
import type { PostgresReader, PostgresStore } from "./postgres_store.ts";

/** The log in `store`; `options` and faults as of `openLogMeta`. */
export async function openPostgresLog(
  store: PostgresStore,
  networkDigest: string,
  options: { readonly moved?: boolean } = {},
): Promise<KvLogStore> {
  const engine = store.engine("log");
  const meta = await openLogMeta(engine, networkDigest, options);
  const handles = { writes: engine, reads: engine };
  return new KvLogStore({ handles, fence: store.fence, allowsReaders: true }, meta);
}

/** The log in `reader`, for a process that follows it. Errors as of `openLogMeta`. */
export async function openFollowedLog(
  primary: PostgresReader,
  replica: PostgresReader | undefined,
  networkDigest: string,
): Promise<LogStore> {
  const engine = primary.engine("log");
  const meta = await openLogMeta(engine, networkDigest);
  const reads = replica === undefined ? engine : new ReplicaReads(replica.reads("log"), engine);
  return new KvLogStore(
    { handles: { writes: engine, reads }, fence: NO_FENCE, allowsReaders: true },
    meta,
  );
}

/** That of a process which never writes. */
const NO_FENCE: StoreFence = {
  take: () => Promise.reject(fenceLost()),
  check: () => Promise.reject(fenceLost()),
  guard() {
    throw fenceLost();
  },
};

/**
 * The anchors in `store`; rejects like `anchorDatabaseOn`. Their commits require the fence. It is taken
 * before they are read: another process may add anchors until then.
 */
export async function openPostgresAnchors(
  store: PostgresStore,
  networkDigest: string,
  clock: Clock = systemClock,
): Promise<AnchorDatabase> {
  const engine = store.engine("anchors");
  const { fence } = store;
  await fence.take();
  return await anchorDatabaseOn(
    {
      get: (key) => engine.get(key),
      list: (selector, options) => engine.list(selector, options),
      atomic: () => fence.guard(engine.atomic()),
      close: () => engine.close(),
    },
    networkDigest,
    clock,
  );
}
