/**
 * The log in PostgreSQL, for a process that follows it.
 *
 * @module
 */

import { KvLogStore, openLogMeta } from "../log/kv_log_store.ts";
import type { LogStore } from "../../gateway/ports.ts";
import { ReplicaReads } from "../replica_reads.ts";
import { fenceLost, type StoreFence } from "../store_engine.ts";
import type { PostgresReader } from "./postgres_store.ts";

/** The log in `primary`, with most reads from `replica`. Errors as of `openLogMeta`. */
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
