/**
 * The log and the anchors of a gateway in PostgreSQL, which other processes can write too.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { type AnchorDatabase, anchorDatabaseOn } from "../anchors/anchor_database.ts";
import { KvLogStore, openLogMeta } from "../log/kv_log_store.ts";
import type { AcceptedMark } from "../store_meta.ts";
import type { PostgresStore } from "./postgres_store.ts";

/** The log in `store`; `accepted` and faults as of `openLogMeta`. */
export async function openDatabaseLog(
  store: PostgresStore,
  networkDigest: string,
  accepted?: AcceptedMark,
): Promise<KvLogStore> {
  const engine = store.engine("log");
  const meta = await openLogMeta(engine, networkDigest, accepted);
  const handles = { writes: engine, reads: engine };
  return new KvLogStore({ handles, fence: store.fence, allowsReaders: true }, meta);
}

/**
 * The anchors in `store`; rejects like `anchorDatabaseOn`. Their commits require the fence. It is taken
 * before they are read: another process may add anchors until then.
 */
export async function openDatabaseAnchors(
  store: PostgresStore,
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
