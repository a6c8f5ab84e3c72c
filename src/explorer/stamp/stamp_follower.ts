/**
 * Follows the rows of the list from their hash to their anchors, many with one request. Proofs are
 * fetched only for rows on show.
 *
 * @module
 */

import type { GatewayClient, SubmitOptions } from "../../client/gateway_client.ts";
import { isTerminal, type JobSnapshotMembers } from "../../proof/format/job_snapshot.ts";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import { GatewayRefusal } from "../../proof/format/gateway_refusal.ts";
import type { GatewayStatus } from "../../proof/format/gateway_status.ts";
import { fetchProof } from "../checked.ts";
import { GatewayLine, type LineOptions } from "../gateway_line.ts";
import { isLogged, type StampPhase, type StampRow, type StampRows } from "./stamp_rows.ts";

/** Hashes of one request: reading a larger answer would hold up the page. */
const MAX_HASHES = 200;
/** How long the gateway may hold an answer. */
const SUBMIT_WAIT_SECONDS = 3;
const JOB_WAIT_SECONDS = 10;
/** Pauses between requests about jobs, tree heads and anchors. */
const JOB_POLL_MS = 500;
const HEAD_POLL_MS = 2_000;
const ANCHOR_POLL_MS = 5_000;
/** Limits the wait for anchors: an OpenTimestamps calendar may take hours. */
const ANCHOR_POLLS = 120;
/** Proofs that are fetched at the same time. */
const MAX_FETCHES = 4;

/** The peers and anchor services that a gateway states. */
export type AnchoringServices = Pick<GatewayStatus, "peers" | "anchors">;

/** The used part of a {@linkcode GatewayClient}. */
export type StampGateway = Pick<GatewayClient, "submit" | "job" | "bundle" | "status" | "sth">;

export interface FollowerParts extends LineOptions {
  readonly gateway: StampGateway;
  readonly questions: GatewayLine;
  /** Submits new hashes, at most {@linkcode maxNew} at once. */
  readonly submitNew: (
    hashes: readonly string[],
    waitSeconds: number,
  ) => Promise<readonly JobSnapshotMembers[]>;
  readonly maxNew: () => Promise<number>;
}

/** The line repeats requests, for all rows at once. */
const ONCE: SubmitOptions = { isTransient: () => false };

export class StampFollower {
  /** Submissions, which a gateway may refuse while it answers questions; and questions. */
  readonly submissions: GatewayLine;
  readonly questions: GatewayLine;
  anchoring: AnchoringServices | undefined;
  readonly #parts: FollowerParts;
  readonly #rows: StampRows;
  /** Work in progress, and whether it was asked for again meanwhile. */
  readonly #running = new Map<() => Promise<void>, boolean>();
  /** Ids of the rows on show, and of those among them whose proof may have changed. */
  #shown: readonly number[] = [];
  readonly #stale = new Set<number>();
  readonly #polls = new Map<number, number>();
  /** Ends the pause between requests for proofs. */
  #pausing = new AbortController();

  constructor(parts: FollowerParts, rows: StampRows) {
    this.#parts = parts;
    this.#rows = rows;
    this.submissions = new GatewayLine(parts);
    this.questions = parts.questions;
  }

  /** Call after a row was put into phase `sending`. */
  start(): void {
    this.#run(this.#send);
  }

  /** Fetches the proofs of these rows when they are signed, and again when they grow. */
  show(ids: readonly number[]): void {
    this.#shown = ids;
    this.#refresh();
  }

  /** The current proof of a signed row. */
  async fetchProof({ id, hash }: StampRow): Promise<NonNullable<StampRow["bundle"]>> {
    const bundle = await this.questions.ask(() => fetchProof(this.#parts.gateway, hash!));
    const row = this.#rows.get(id);
    // An unchanged bundle stays the same object, so that it is verified only once.
    return row?.bundle?.text === bundle.text ? row.bundle : bundle;
  }

  /** Runs `work`, or once more if it is running, since it may be about to end. */
  #run(work: () => Promise<void>): void {
    const isRunning = this.#running.has(work);
    this.#running.set(work, isRunning);
    if (isRunning) return;
    void work.call(this).finally(() => {
      const isAgain = this.#running.get(work);
      this.#running.delete(work);
      if (isAgain) this.#run(work);
    });
  }

  /** Fetches the proofs on show that are due. */
  #refresh(): void {
    this.#pausing.abort();
    this.#pausing = new AbortController();
    this.#run(this.#fetchShown);
  }

  async #send(): Promise<void> {
    const { submitNew, maxNew } = this.#parts;
    while (this.#rows.inPhase("sending", 1).length > 0) {
      const limit = Math.min(MAX_HASHES, await this.submissions.ask(maxNew));
      const rows = () => this.#rows.inPhase("sending", limit);
      await this.#settle("sending", rows, (hashes) =>
        this.submissions.ask(() => {
          const asked = hashes();
          if (asked.length === 0) return Promise.resolve([]);
          const isAll = this.#rows.inPhase("sending", limit + 1).length <= limit;
          return submitNew(asked, isAll ? SUBMIT_WAIT_SECONDS : 0);
        }));
      this.#run(this.#sign);
      this.#run(this.#batch);
    }
  }

  async #sign(): Promise<void> {
    const { gateway, wait } = this.#parts;
    for (;;) {
      const rows = () => this.#rows.inPhase("signing", MAX_HASHES);
      if (rows().length === 0) return;
      await this.#settle("signing", rows, (hashes) =>
        this.questions.ask(async () => {
          const [hash, ...others] = hashes();
          if (hash === undefined) return [];
          if (others.length > 0) return await gateway.submit(hashes(), JOB_WAIT_SECONDS, ONCE);
          return [(await gateway.job(hash, JOB_WAIT_SECONDS)).value];
        }));
      this.#run(this.#batch);
      if (rows().length > 0) await wait(JOB_POLL_MS);
    }
  }

  /** Asks about the hashes of `rows`, which are in `phase`, and moves the rows on. */
  async #settle(
    phase: StampPhase,
    rows: () => readonly StampRow[],
    ask: (hashes: () => string[]) => Promise<readonly JobSnapshotMembers[]>,
  ): Promise<void> {
    let asked: readonly StampRow[] = [];
    try {
      // Each attempt asks about the rows that are still on the list.
      const jobs = await ask(() => {
        asked = rows();
        return [...new Set(asked.map(({ hash }) => hash!))];
      });
      const byHash = new Map(jobs.map((job) => [job.hash, job]));
      for (const { id, hash } of asked) this.#answered(id, phase, byHash.get(hash!));
    } catch (error) {
      for (const { id } of asked) {
        if (this.#rows.get(id)?.phase === phase) this.#rows.change(id, { phase: "failed", error });
      }
    }
  }

  #answered(id: number, phase: StampPhase, job: JobSnapshotMembers | undefined): void {
    const row = this.#rows.get(id);
    if (job === undefined || row?.phase !== phase) return;
    const next = !isTerminal(job) ? "signing" : job.status === "failed" ? "settled" : "batching";
    this.#rows.put({ ...row, job, phase: next });
  }

  /** Rows are in the log when a published tree head covers their position. */
  async #batch(): Promise<void> {
    const { gateway, wait } = this.#parts;
    const waiting = () => this.#rows.inPhase("batching");
    while (waiting().length > 0) {
      this.#refresh();
      try {
        const size = waiting().every(isBatched) ? Infinity : await this.#treeSize();
        this.anchoring ??= (await this.questions.ask(() => gateway.status())).value;
        for (const row of waiting()) {
          if (!isBatched(row) && positionOf(row) >= size) continue;
          this.#rows.change(row.id, { phase: this.#hasAnchors ? "anchoring" : "settled" });
        }
      } catch (error) {
        for (const { id } of waiting()) this.#rows.change(id, { phase: "failed", error });
      }
      this.#refresh();
      if (waiting().length > 0) await wait(HEAD_POLL_MS);
    }
  }

  async #treeSize(): Promise<number> {
    try {
      const { value } = await this.questions.ask(() => this.#parts.gateway.sth());
      return value.tree_head.tree_size;
    } catch (error) {
      if (error instanceof GatewayRefusal && error.reason === "no_tree_head") return 0;
      throw error;
    }
  }

  get #hasAnchors(): boolean {
    const { peers = [], anchors = [] } = this.anchoring ?? {};
    return peers.length + anchors.length > 0;
  }

  async #fetchShown(): Promise<void> {
    const { wait } = this.#parts;
    const shown = () => this.#shown.flatMap((id) => this.#rows.get(id) ?? []);
    for (;;) {
      const due = shown().filter((row) => this.#isDue(row)).values();
      await Promise.all(Array.from({ length: MAX_FETCHES }, async () => {
        for (const row of due) await this.#fetch(row);
      }));
      if (shown().some((row) => this.#isDue(row))) {
        await wait(JOB_POLL_MS);
        continue;
      }
      const anchoring = shown().filter(({ phase }) => phase === "anchoring");
      if (anchoring.length === 0) return;
      await wait(ANCHOR_POLL_MS, this.#pausing.signal);
      for (const { id } of anchoring) this.#stale.add(id);
    }
  }

  #isDue(row: StampRow): boolean {
    if (row.phase === "batching") return row.bundle === undefined;
    if (!isLogged(row)) return false;
    return (row.bundle?.value.batch_inclusion ?? null) === null || this.#stale.has(row.id);
  }

  async #fetch(fetched: StampRow): Promise<void> {
    const { id } = fetched;
    this.#stale.delete(id);
    try {
      const bundle = await this.fetchProof(fetched);
      this.#rows.change(id, { bundle });
      const row = this.#rows.get(id);
      if (row?.phase !== "anchoring") return;
      const polls = (this.#polls.get(id) ?? 0) + 1;
      this.#polls.set(id, polls);
      if (polls > ANCHOR_POLLS || isAnchored(bundle.value, this.anchoring!)) {
        this.#rows.change(id, { phase: "settled" });
      }
    } catch (error) {
      this.#rows.change(id, { phase: "failed", error });
    }
  }
}

function isBatched({ job }: StampRow): boolean {
  return job?.progress === "batched";
}

function positionOf({ job }: StampRow): number {
  return job?.signed_attestation?.attestation.sequence ?? Infinity;
}

/** Whether every peer has cosigned, and every service has anchored, a head over `bundle`. */
export function isAnchored(bundle: ProofBundle, { peers, anchors }: AnchoringServices): boolean {
  const cosigned = new Set(bundle.cross_anchors.map((anchor) => anchor.witnessing_network));
  const confirmed = bundle.external_anchors.filter(({ status }) => status === "confirmed");
  return peers.every(({ id }) => cosigned.has(id)) && confirmed.length >= anchors.length;
}
