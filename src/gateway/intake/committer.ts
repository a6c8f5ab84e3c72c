/**
 * The one writer of accepted digests, of the token ids redeemed for them, and of signed rounds. It has one
 * commit in flight: each commit takes whatever arrived during the previous one. A small commit waits for
 * digests that are expected within milliseconds. So a single client does not wait, and a thousand clients
 * share one disk sync.
 *
 * @module
 */

import { equalBytes, HASH_LENGTH } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import type { HashIndex } from "../index/hash_index.ts";
import { NO_OBSERVER, type PipelineObserver } from "../observer.ts";
import type { RoundStore } from "../ports.ts";
import type { StoreWrites } from "../settle.ts";
import { StoreOutage } from "../../base/store_outage.ts";
import { NO_TRACER, type Tracer } from "../tracer.ts";
import { ReturningClients } from "./returning_clients.ts";
import type { SpentIds } from "../index/spent_ids.ts";
import type { IntakeRow, RoundRecord, SpentRow } from "../../proof/format/records.ts";

/** Digests for which a commit does not wait for more. */
const FULL_ENOUGH = 256;

export interface CommitEvents {
  /** Digests below `end` are on disk. Called before their callers are answered. */
  accepted(end: number): void;
  /** `record` is on disk and final. It replaces `submitted` if another set was stored first. */
  confirmed(record: RoundRecord, submitted: RoundRecord): void;
  /** A fault that no retry fixes, or the last try of a stopping gateway failed. Nothing more is stored. */
  failed(error: unknown): void;
}

/** Waits until every digest below `end` is on disk. Its methods do not throw. */
export interface DurableWaiter {
  readonly end: number;
  readonly done: () => void;
  /** Called with `storage_failed` or `shutting_down`. */
  readonly failed: (error: CountersignError) => void;
}

/** Group commit over a {@linkcode RoundStore}. */
export class Committer {
  readonly #store: RoundStore;
  readonly #index: HashIndex;
  readonly #spent: SpentIds | undefined;
  readonly #clock: Clock;
  readonly #writes: StoreWrites;
  readonly #events: CommitEvents;
  readonly #observer: PipelineObserver;
  readonly #tracer: Tracer;
  readonly #turn: () => Promise<void>;
  readonly #attemptEnd: () => Promise<void> | undefined;
  readonly #clients: ReturningClients;
  #durable: number;
  /** Answered in their order. A waiter may wait for the one before it, though its digest is durable. */
  #waiters: DurableWaiter[] = [];
  #rounds: RoundRecord[] = [];
  #running: Promise<void> | undefined;
  /** Why nothing more is stored (`storage_failed`). Digests that were only in memory are lost. */
  #failure: CountersignError | undefined;
  /** Why nothing more is accepted (`shutting_down`). Digests accepted before are still stored. */
  #closing: CountersignError | undefined;
  /** Sequence after the last digest that a closing committer stores. */
  #closingEnd = 0;

  /** `durable` is the sequence after the last digest on disk. */
  constructor(
    store: RoundStore,
    index: HashIndex,
    durable: number,
    context: {
      readonly writes: StoreWrites;
      readonly events: CommitEvents;
      /** Absent if no tokens are redeemed. */
      readonly spent?: SpentIds | undefined;
      readonly observer?: PipelineObserver;
      readonly tracer?: Tracer;
      /** As in `GatewayParts`. */
      readonly turn?: (() => Promise<void>) | undefined;
      /** `Signer.attemptEnd`: a small commit waits for the round that is being signed. */
      readonly attemptEnd?: () => Promise<void> | undefined;
      /** As in `GatewayParts`. */
      readonly returnMs?: number | undefined;
    },
  ) {
    this.#store = store;
    this.#index = index;
    this.#durable = durable;
    this.#spent = context.spent;
    this.#clock = context.writes.clock;
    this.#writes = context.writes;
    this.#events = context.events;
    this.#observer = context.observer ?? NO_OBSERVER;
    this.#tracer = context.tracer ?? NO_TRACER;
    this.#turn = context.turn ?? (() => Promise.resolve());
    this.#attemptEnd = context.attemptEnd ?? (() => undefined);
    this.#clients = new ReturningClients(this.#clock, context.returnMs ?? 0);
  }

  /** Sequence after the last digest on disk. */
  get durable(): number {
    return this.#durable;
  }

  /** How many digests wait for a commit. */
  get backlog(): number {
    return this.#index.end - this.#durable;
  }

  /** Starts to store the digests that were appended to the index. */
  wake(): void {
    if (this.#failure !== undefined || this.#closing !== undefined) return;
    this.#clients.arrived(this.#index.end);
    this.#start();
  }

  /** Answers `waiter` after the commit of its digests, or before it returns. */
  onDurable(waiter: DurableWaiter): void {
    const { end } = waiter;
    if (end <= this.#durable) return waiter.done();
    const closing = end > this.#closingEnd ? this.#closing : undefined;
    const refusal = this.#failure ?? this.#writes.outage ?? closing;
    if (refusal !== undefined) return waiter.failed(refusal);
    this.#waiters.push(waiter);
    this.#start();
  }

  /** Resolves when every digest below `end` is on disk; rejects with `storage_failed`, `shutting_down`. */
  whenDurable(end: number): Promise<void> {
    if (end <= this.#durable) return Promise.resolve();
    return new Promise((done, failed) => this.onDurable({ end, done, failed }));
  }

  /**
   * Rejects all waits: the store rejects writes. The commit is still retried, and a repeated submission is
   * answered once it is stored.
   */
  refuseWaiters(outage: StoreOutage): void {
    for (const waiter of this.#waiters.splice(0)) waiter.failed(outage);
  }

  /** Stores a signed round with the next commit. */
  store(record: RoundRecord): void {
    if (this.#failure !== undefined || this.#closing !== undefined) return;
    this.#rounds.push(record);
    this.#clients.endWait();
    this.#start();
  }

  /** Accepts nothing more; resolves when all accepted digests are stored and no commit is in flight. */
  async close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#closingEnd = this.#index.end;
      this.#closing = new CountersignError(
        "shutting_down",
        "The gateway is shutting down",
      );
    }
    while (this.#running !== undefined) await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // Digests that arrive in the same turn of the event loop share one commit and one round.
    await this.#turn();
    try {
      while (this.#failure === undefined && (this.backlog > 0 || this.#rounds.length > 0)) {
        // Digests that are about to arrive share the commit: fewer and larger ones.
        if (this.#rounds.length === 0 && this.backlog < FULL_ENOUGH) await this.#attemptEnd();
        if (this.#rounds.length === 0 && this.backlog < FULL_ENOUGH) await this.#clients.wait();
        await this.#commitNext();
      }
    } catch (error) {
      this.#failure = storageFailed(error);
      for (const waiter of this.#waiters.splice(0)) waiter.failed(this.#failure);
      this.#events.failed(error);
    } finally {
      // Synchronous with the last check of the backlog: later digests start a new run.
      this.#running = undefined;
    }
  }

  async #commitNext(): Promise<void> {
    const { digestsPerRow, roundsPerCommit } = this.#store.limits;
    // A few digests wait for those of the clients that this commit answers: one round for both costs less than two
    // rounds in turn, and ends sooner.
    const isWaiting = this.#clients.haveReturned && this.#rounds.length > 0 &&
      this.backlog < FULL_ENOUGH;
    const most = isWaiting ? 0 : digestsPerRow * this.#rowsPerCommit;
    const end = Math.min(this.#index.end, this.#durable + most);
    const rows = await this.#rowsUpTo(end, digestsPerRow);
    // Token ids for digests below `end` were appended together with the digests.
    const spent = this.#spent === undefined ? [] : await this.#spent.rowsOf(rows);
    const rounds = this.#rounds.splice(0, roundsPerCommit);
    const startMs = this.#clock.elapsedMs();
    const stored = await this.#tracer.span(
      "commit",
      { digests: end - this.#durable, rounds: rounds.length },
      () => this.#settle(rows, rounds, spent),
      { start: this.#durable, end },
    );
    const ms = this.#clock.elapsedMs() - startMs;
    this.#observer.committed({ digests: end - this.#durable, ms });
    this.#durable = end;
    this.#spent?.stored(spent);
    if (rows.length > 0) this.#events.accepted(end);
    rounds.forEach((round, i) => this.#events.confirmed(stored[i]!, round));
    if (rounds.length > 0) {
      const digests = rounds.reduce((sum, { size }) => sum + size, 0);
      this.#clients.answered(digests, this.#index.end);
    }
    this.#answerWaiters();
  }

  get #rowsPerCommit(): number {
    const { intakeRowsPerCommit, spendingRowsPerCommit } = this.#store.limits;
    const isSpending = this.#spent !== undefined && this.#spent.backlog > 0;
    return isSpending ? spendingRowsPerCommit : intakeRowsPerCommit;
  }

  async #rowsUpTo(end: number, digestsPerRow: number): Promise<IntakeRow[]> {
    const start = this.#durable;
    if (start === end) return [];
    const acceptedAt = unixSeconds(this.#clock);
    this.#index.accept(start, end, acceptedAt);
    const digests = await this.#index.digests(start, end);
    const rows: IntakeRow[] = [];
    for (let first = start; first < end; first += digestsPerRow) {
      const last = Math.min(first + digestsPerRow, end);
      const packed = digests.slice((first - start) * HASH_LENGTH, (last - start) * HASH_LENGTH);
      rows.push({ first, acceptedAt, digests: packed });
    }
    return rows;
  }

  /**
   * Commits until the outcome is known; returns the rounds that are on disk. A round that was stored
   * before is adopted: the first stored set is final.
   */
  async #settle(
    rows: readonly IntakeRow[],
    rounds: readonly RoundRecord[],
    spent: readonly SpentRow[],
  ): Promise<RoundRecord[]> {
    const final = new Map(rounds.map((round) => [round.first, round]));
    let pending = [...rounds];
    const adopt = async () => {
      for (const round of [...pending]) {
        const found = await this.#store.roundAt(round.first);
        if (found === undefined) continue;
        final.set(round.first, found);
        pending = pending.filter((other) => other !== round);
      }
    };
    const outcome = await this.#writes.settle({
      what: rows.length > 0 ? `digests from ${rows[0]!.first}` : "signed rounds",
      commit: () => this.#store.commit(rows, pending, spent),
      inspect: async () => {
        const found = await this.#inspectRows(rows);
        if (found === "other") return found;
        await adopt();
        // One commit writes everything: if the rows are stored, so are the rounds and the spent ids.
        if (found === "ours" && pending.length === 0) return "ours";
        return rows.length === 0 && pending.length === 0 ? "ours" : "absent";
      },
    });
    if (outcome === "other") throw storeCorrupt(rows[0]?.first ?? this.#durable);
    return rounds.map((round) => final.get(round.first) ?? round);
  }

  async #inspectRows(rows: readonly IntakeRow[]): Promise<"ours" | "absent" | "other"> {
    const [ours] = rows;
    if (ours === undefined) return "absent";
    const found = await this.#store.rowAt(ours.first);
    if (found === undefined) return "absent";
    return equalBytes(found.digests, ours.digests) && found.acceptedAt === ours.acceptedAt
      ? "ours"
      : "other";
  }

  #answerWaiters(): void {
    let answered = 0;
    while (answered < this.#waiters.length && this.#waiters[answered]!.end <= this.#durable) {
      this.#waiters[answered++]!.done();
    }
    if (answered > 0) this.#waiters = this.#waiters.slice(answered);
  }
}

/** The error for callers; {@linkcode CommitEvents.failed} gets the cause. */
function storageFailed(cause: unknown): CountersignError {
  if (hasCode(cause, "storage_failed")) return cause;
  if (hasCode(cause, "fence_lost")) {
    return new CountersignError("standby", "Another gateway takes the hashes of this log", {
      cause,
    });
  }
  return new StoreOutage("The store rejects commits", cause);
}

function storeCorrupt(first: number): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot store digests from ${first}: the store holds another row there`,
  );
}
