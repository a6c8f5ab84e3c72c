/**
 * {@linkcode LeaseStore} on PostgreSQL: the one row of the table `lease`, and the clock of the server. It is
 * apart from the fence, which every commit locks.
 *
 * @module
 */

import {
  LEASE_MS,
  type LeaseHolder,
  type LeaseStore,
  type TakenLease,
} from "../../gateway/held_lease.ts";
import type { Run } from "./postgres_connection.ts";
import { SCHEMA, TIMELINE } from "./postgres_schema.ts";

/**
 * The server takes no lease for a request that comes so long after its last answer: the process has given up,
 * and the request was on its way during an outage. More than the time that an answer may take.
 */
const ASKED_MS = 5_000;
const NOW = "extract(epoch FROM clock_timestamp())";
const ENDS = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`;

/** Its statements reject with a `PostgresFault`. */
export class PostgresLease implements LeaseStore {
  /** The new number, or NULL; the holder before; the timeline; the time. */
  readonly #take: string;
  readonly #renew: string;
  readonly #release: string;
  readonly #run: Run;
  #epoch: number | undefined;
  #timeline: string | undefined;
  /** The time of the last answer, by the clock of the server. */
  #answered: string | undefined;

  constructor(run: Run) {
    const lease = `${SCHEMA}.lease`;
    this.#take = `WITH taken AS (
        UPDATE ${lease} SET epoch = epoch + 1, holder = $1, url = $2, ends = ${ENDS}
          WHERE ends <= clock_timestamp() AND ${NOW} < $3::numeric + ${ASKED_MS / 1_000}
          RETURNING epoch)
      SELECT (SELECT epoch FROM taken), holder, url, ${TIMELINE}, ${NOW} FROM ${lease}`;
    this.#renew = `UPDATE ${lease} SET ends = ${ENDS}
      WHERE epoch = $1 AND ${TIMELINE} = $2 RETURNING 1`;
    this.#release = `UPDATE ${lease} SET ends = '-infinity' WHERE epoch = $1`;
    this.#run = run;
  }

  /** The number of the lease that this process took last. */
  get epoch(): number | undefined {
    return this.#epoch;
  }

  /** The server's timeline when this process took its last lease. */
  get timeline(): string | undefined {
    return this.#timeline;
  }

  async reach(): Promise<void> {
    const [row] = await this.#run(`SELECT ${NOW}`);
    this.#answered = row![0]!;
  }

  async take({ name, url }: LeaseHolder): Promise<TakenLease> {
    if (this.#answered === undefined) await this.reach();
    const [row] = await this.#run(this.#take, [name, url ?? null, this.#answered]);
    const [epoch, heldBy, heldAt, timeline, now] = row!;
    this.#answered = now!;
    if (epoch === null) {
      const holder = { name: heldBy!, ...(heldAt !== null && { url: heldAt! }) };
      return { heldBy: holder, timeline: timeline! };
    }
    [this.#epoch, this.#timeline] = [Number(epoch), timeline!];
    return { epoch: Number(epoch), timeline: timeline! };
  }

  async renew(epoch: number): Promise<boolean> {
    return (await this.#run(this.#renew, [epoch, this.#timeline])).length === 1;
  }

  async release(epoch: number): Promise<void> {
    await this.#run(this.#release, [epoch]);
  }
}
