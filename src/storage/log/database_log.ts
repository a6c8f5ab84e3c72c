/**
 * The log and the anchors of a gateway in a database that other processes can write too.
 *
 * @module
 */

import { systemClock } from "../../clock.ts";
import type { LeaseStore } from "../../gateway/held_lease.ts";
import { type AnchorDatabase, anchorDatabaseOn } from "../anchors/anchor_database.ts";
import type { StoreEngine, StoreFence } from "../store_engine.ts";
import { KvLogStore, openLogMeta } from "./kv_log_store.ts";

/** A store in such a database. */
export interface DatabaseStore {
  /** The fence that all commits check. */
  readonly fence: StoreFence;
  readonly lease: LeaseStore;
  /** Whether other threads can read it. */
  readonly allowsReaders: boolean;
  engine(name: "log" | "anchors"): StoreEngine;
  /** Resolves if the database accepts writes; rejects with `storage_failed`. */
  probe(): Promise<void>;
  /** Opens its connections, if it has any; rejects with `storage_failed`. */
  connect?(): Promise<void>;
  close(): void;
}

/** The log in `store`; `options` and faults as of `openLogMeta`. */
export async function openDatabaseLog(
  store: DatabaseStore,
  networkDigest: string,
  options: { readonly moved?: boolean } = {},
): Promise<KvLogStore> {
  const engine = store.engine("log");
  const meta = await openLogMeta(engine, networkDigest, options);
  const handles = { writes: engine, reads: engine };
  const { fence, allowsReaders } = store;
  return new KvLogStore({ handles, fence, allowsReaders }, meta);
}

/**
 * The anchors in `store`; rejects like `anchorDatabaseOn`. Their commits require the fence. It is taken
 * before they are read: another process may add anchors until then.
 */
export async function openDatabaseAnchors(
  store: DatabaseStore,
  networkDigest: string,
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
    systemClock,
  );
}
