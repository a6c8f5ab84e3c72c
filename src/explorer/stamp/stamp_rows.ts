/**
 * The list of stamps: one row for each file or hash.
 *
 * @module
 */

import type { GatewayAnswer } from "../../client/gateway_connection.ts";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import type { JobSnapshotMembers } from "../../proof/format/job_snapshot.ts";
import { Listeners, type Readable } from "../store.ts";

/** What a row waits for, or how it ended. */
export type StampPhase =
  /** A worker that hashes the file. */
  | "queued"
  | "hashing"
  /** The gateway's answer to the submission. */
  | "sending"
  /** The witnesses. */
  | "signing"
  /** A published tree head. */
  | "batching"
  | "anchoring"
  /** No more changes are expected. */
  | "settled"
  | "cancelled"
  | "failed";

/** One file or hash. */
export interface StampRow {
  readonly id: number;
  /** The file's name, with its folders; `undefined` for a pasted hash. */
  readonly name?: string;
  /** Bytes of the file, once a worker reads it. */
  readonly size?: number;
  /** How many of them are hashed. */
  readonly done?: number;
  /** 64 lowercase hex, once known. */
  readonly hash?: string;
  readonly phase: StampPhase;
  /** Present exactly if the phase is `failed`. */
  readonly error?: unknown;
  readonly job?: JobSnapshotMembers;
  /** The proof. It is fetched only for rows that were on the screen. */
  readonly bundle?: GatewayAnswer<ProofBundle>;
  /** The reader has saved the proof, with its place in the log. */
  readonly isSaved?: boolean;
}

/** Whether a published tree head covers the row. */
export function isLogged({ phase, job }: StampRow): boolean {
  return (phase === "anchoring" || phase === "settled") && job?.status === "confirmed";
}

/** Whether the row has, or will have, a proof that the reader has not saved. */
export function isUnsaved({ phase, job, isSaved }: StampRow): boolean {
  return isSaved !== true && phase !== "cancelled" && phase !== "failed" &&
    job?.status !== "failed";
}

/**
 * The rows, latest first. Changes are collected and the page is notified of them together, so that
 * thousands of changes do not lead to thousands of renderings.
 */
export class StampRows extends Listeners implements Readable<readonly StampRow[]> {
  /** Oldest first. */
  readonly #rows = new Map<number, StampRow>();
  readonly #later: (notify: () => void) => void;
  #state: readonly StampRow[] | undefined = [];
  #isNotifying = false;

  /** `later` calls its argument soon. */
  constructor(later: (notify: () => void) => void) {
    super();
    this.#later = later;
  }

  get state(): readonly StampRow[] {
    return this.#state ??= [...this.#rows.values()].reverse();
  }

  get(id: number): StampRow | undefined {
    return this.#rows.get(id);
  }

  /** The oldest rows in `phase`, at most `limit`. */
  inPhase(phase: StampPhase, limit = Infinity): StampRow[] {
    const found: StampRow[] = [];
    for (const row of this.#rows.values()) {
      if (found.length >= limit) break;
      if (row.phase === phase) found.push(row);
    }
    return found;
  }

  /** Adds or replaces `row`. */
  put(row: StampRow): void {
    this.#rows.set(row.id, row);
    this.#changed();
  }

  /** Changes the row, if it is still there. */
  change(id: number, changes: Partial<StampRow>): void {
    const row = this.#rows.get(id);
    if (row !== undefined) this.put({ ...row, ...changes });
  }

  remove(id: number): void {
    this.#rows.delete(id);
    this.#changed();
  }

  #changed(): void {
    this.#state = undefined;
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    this.#later(() => {
      this.#isNotifying = false;
      this.notify();
    });
  }
}
