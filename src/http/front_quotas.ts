/**
 * Quotas of a process that hold over all its fronts, whether clients are limited or not.
 *
 * @module
 */

import { HeldQuota } from "../limits/held_quota.ts";
import type { Release } from "../limits/holdings.ts";
import type { LimitTables } from "./limit_tables.ts";
import { FEED_LIMITS } from "./limits.ts";

/** Counts an event stream in `tables` until the returned function is called; `overloaded`. */
export function connectionCounter(tables: LimitTables): () => Release {
  const quota = new HeldQuota({
    budget: "event_connections",
    perClient: Infinity,
    total: FEED_LIMITS.connections,
    failure: "Cannot open event stream",
    unit: "event streams",
    retryAfterSeconds: 30,
  }, tables.holdings("event_connections"));
  return () => quota.hold(undefined);
}
