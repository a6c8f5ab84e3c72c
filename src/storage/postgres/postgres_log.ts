/**
 * The log in PostgreSQL, for a process that follows it.
 *
 * @module
 */

import type { LogStore } from "../../gateway/ports.ts";
import { KvLogStore, openLogMeta } from "../log/kv_log_store.ts";
import { fenceLost, type StoreFence, type StoreReads } from "../store_engine.ts";
import type { PostgresReader } from "./postgres_store.ts";

/** The log in `primary`, with most reads from `replica`. Errors as of `openLogMeta`. */
export async function openFollowedLog(
  primary: PostgresReader,
  replica: PostgresReader | undefined,
  networkDigest: string,
): Promise<LogStore> {
  const engine = primary.engine("log");
  const meta = await openLogMeta(engine, networkDigest);
  const reads = replica === undefined ? engine : replicaReads(replica.reads("log"), engine);
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
 * Reads of records that are written once, from a replica of a store. What the replica lacks is read from the
 * store itself. So are lists: a replica that is behind would end them too early. Closes neither.
 */
function replicaReads(replica: StoreReads, primary: StoreReads): StoreReads {
  return {
    async get<T>(key: Deno.KvKey) {
      const found = await replica.get<T>(key).catch(() => undefined);
      return found === undefined || found.value === null ? await primary.get<T>(key) : found;
    },
    list: (selector, options) => primary.list(selector, options),
    close() {},
  };
}
