/**
 * The servers that follow the database, by `pg_stat_replication`.
 *
 * @module
 */

import type { Run } from "./postgres_connection.ts";

/** A server that is connected and follows the database. */
export interface PostgresReplica {
  /** Its `application_name`, which `synchronous_standby_names` uses as well. */
  readonly name: string;
  /** `sync` or `quorum`: commits wait for it. `potential` or `async`: they do not. */
  readonly mode: string;
  /** Bytes of the write-ahead log that it has not made durable, and would lack after a promotion. */
  readonly lagBytes: number;
}

/** Of servers with one name, the one that is furthest behind counts. Others see these columns as NULL. */
const REPLICAS = `SELECT DISTINCT ON (application_name) application_name, sync_state,
    greatest(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn), 0)
  FROM pg_stat_replication WHERE state IN ('catchup', 'streaming') AND flush_lsn IS NOT NULL
  ORDER BY application_name, flush_lsn`;

/**
 * The servers that follow the database; `undefined` if the role may not see them, which membership in
 * `pg_read_all_stats` allows. Rejects with a `PostgresFault`.
 */
export async function followingReplicas(
  run: Run,
): Promise<readonly PostgresReplica[] | undefined> {
  const [allowed] = await run("SELECT pg_has_role('pg_read_all_stats', 'USAGE')");
  if (allowed![0] !== "t") return undefined;
  return (await run(REPLICAS)).map(([name, mode, lag]) => ({
    name: name!,
    mode: mode!,
    lagBytes: Number(lag),
  }));
}
