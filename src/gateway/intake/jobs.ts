/**
 * Accepts digests and reads their jobs (protocol.md "Jobs").
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, utf8 } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { FairTurns, type Turn } from "../../base/fair_turns.ts";
import type { HealthView } from "../health_view.ts";
import type { DigestIndex } from "../index/digest_index.ts";
import { wordsOf } from "../index/keyed_hash.ts";
import { whenAll, whenReady } from "../../base/when_ready.ts";
import type { AttestationReader, ChargeRead } from "../proving/attestation_reader.ts";
import type { ConfirmedRounds } from "../proving/confirmed_rounds.ts";
import type { PublishedHeads } from "../sequencing/published_heads.ts";
import type { SigningView } from "../signing/signing_view.ts";
import type { Committer } from "./committer.ts";
import type { Intake } from "./intake.ts";
import type { Waiters } from "./waiters.ts";
import { RecentJobs, type RoundJobs } from "./round_jobs.ts";
import { confirmedSnapshot, type JobList, type JobSnapshot, waitingSnapshot } from "./job.ts";
import type { Admission } from "../ports.ts";

/**
 * Single submissions in flight in one thread. It answers that many in about 30 ms; more are refused, so
 * that the accepted ones stay fast.
 */
const MAX_SUBMISSIONS = 768;
/** Witnesses that take longer than this for a round raise the maximum of submissions. */
const PROMPT_MS = 5;
/** Digests that may wait for a round before more are refused. */
const MAX_UNFORMED = 16_384;
/** Runs of the index in memory, 44 MiB each. Sealing keeps up unless the disk is too slow. */
const MAX_UNSEALED_RUNS = 8;

/** For bulk answers from memory. A slice is some thousands of jobs; a submission waits for one at most. */
const ANSWER_TURNS = { sliceMs: 4, share: 0.8 };

/** Created once: under load, a stack trace for each refusal would cost too much. */
const OVERLOADED = new CountersignError(
  "overloaded",
  "Too many submissions in flight, or too many hashes that wait for signatures; retry later",
);

/** Jobs answered from memory between two checks of the time. */
const RECENT_PER_STEP = 32;

/** The answer to a bulk request in progress. */
interface BulkAnswer {
  readonly sequences: readonly number[];
  readonly digests: Bytes;
  readonly list: JobListWriter;
}

export interface JobsContext {
  readonly networkId: string;
  readonly clock: Clock;
  readonly health: Pick<HealthView, "checkAccepting" | "checkStillStored" | "isSigning">;
  readonly intake: Pick<Intake, "take" | "submit" | "turns">;
  readonly committer: Pick<Committer, "whenDurable">;
  readonly signer: SigningView;
  readonly waiters: Pick<Waiters, "wait">;
  readonly index: Pick<DigestIndex, "acceptedAt" | "acceptedInMemory" | "digests" | "unsealedRuns">;
  /** Absent if no tokens are redeemed. */
  readonly spent: { readonly index: Pick<DigestIndex, "unsealedRuns"> } | undefined;
  readonly confirmed: Pick<ConfirmedRounds, "isConfirmed" | "find">;
  readonly heads: Pick<PublishedHeads, "closing">;
  readonly reader: Pick<AttestationReader, "isInMemory" | "locate" | "read" | "sharedOf">;
}

/** The jobs of one gateway. */
export class Jobs {
  readonly #context: JobsContext;
  /** Submissions of single digests in flight. */
  #submissions = 0;
  /** Reused for each submission. It is copied before the next await. */
  readonly #digest = new Uint8Array(HASH_LENGTH);
  readonly #words = wordsOf(this.#digest);
  /** Turns in which bulk answers are made from memory. */
  readonly #answerTurns: FairTurns;
  /** Memory for the next bulk answer: a megabyte for each would cost garbage collections. */
  #spare: Bytes | undefined;

  constructor(context: JobsContext) {
    this.#context = context;
    this.#answerTurns = new FairTurns(context.clock, ANSWER_TURNS);
  }

  /**
   * Accepts a hash (64 lowercase hex digits) and returns its job once it is durable. With `seconds`, waits
   * until the job is confirmed, `seconds` have passed or the gateway stops. A hash that was accepted before
   * keeps its job and needs no admission. Rejects with `overloaded`, `shutting_down`,
   * `witnesses_unavailable`, `store_rolled_back`, `storage_failed`, `token_spent` or an error of
   * `admission`. Without an admission every hash is accepted.
   */
  async submit(
    hash: string,
    seconds: number | undefined,
    admission?: Admission,
  ): Promise<JobSnapshot> {
    this.#context.health.checkAccepting();
    this.#checkRoom();
    this.#submissions++;
    try {
      this.#digest.setFromHex(hash);
      const taken = this.#context.intake.take(this.#words, 0, admission);
      const sequence = typeof taken === "number" ? taken : await taken;
      const job = await this.#heldJob(sequence, seconds, hash);
      this.#context.health.checkStillStored(job.terminal);
      return job;
    } finally {
      this.#submissions--;
    }
  }

  /** {@linkcode submit} for packed digests, duplicates allowed: returns all their jobs in order. */
  async submitAll(
    digests: Bytes,
    seconds: number | undefined,
    admission?: Admission,
  ): Promise<JobList> {
    const sequences = await this.accept(digests, admission);
    const wasHeld = seconds !== undefined && await this.settled(sequences, seconds);
    const client = admission?.client ?? "";
    const answer: BulkAnswer = { sequences, digests, list: new JobListWriter(this.#spare) };
    this.#spare = undefined;
    await this.#answerTurns.run(client, (turn) => this.#appendRecent(answer, turn));
    const { list } = answer;
    if (list.count < sequences.length) {
      await this.#context.intake.turns.run(client, (turn) => this.#appendStored(answer, turn));
    }
    this.#context.health.checkStillStored(list.waiting < 0);
    const { json, memory } = list.end();
    return { json, waiting: list.waiting, wasHeld, reuse: () => void (this.#spare = memory) };
  }

  /** Appends jobs up to the first that needs the store. */
  async #appendRecent(answer: BulkAnswer, turn: Turn): Promise<void> {
    const { sequences, digests, list } = answer;
    const recent = new RecentJobs(this.#context);
    while (list.count < sequences.length) {
      const end = Math.min(list.count + RECENT_PER_STEP, sequences.length);
      for (let i = list.count; i < end; i++) {
        const sequence = sequences[i]!;
        const jobs = recent.of(sequence);
        if (jobs !== undefined) {
          const job = { sequence, digests, from: i * HASH_LENGTH };
          list.appendRecent(jobs, job, sequences.length - i);
          continue;
        }
        if (!this.#context.reader.isInMemory(sequence)) return;
        const appended = this.#appendNext(answer);
        if (appended !== undefined) await appended;
      }
      const pause = turn.pause();
      if (pause !== undefined) await pause;
    }
  }

  /** Appends all further jobs. */
  async #appendStored(answer: BulkAnswer, turn: Turn): Promise<void> {
    while (answer.list.count < answer.sequences.length) {
      await this.#appendNext(answer);
      const pause = turn.pause();
      if (pause !== undefined) await pause;
    }
  }

  #appendNext({ sequences, digests, list }: BulkAnswer): void | Promise<void> {
    const i = list.count;
    const hash = digests.subarray(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).toHex();
    const snapshot = this.snapshot(sequences[i]!, hash);
    if (snapshot instanceof Promise) return snapshot.then((found) => list.append(found));
    list.append(snapshot);
  }

  /**
   * The durable job of a hash (64 lowercase hex digits); waits like {@linkcode submit}. Fails with
   * `hash_unknown`. Without a promise if the job is confirmed and in memory.
   */
  get(
    hash: string,
    seconds: number | undefined,
    charge?: ChargeRead,
  ): JobSnapshot | Promise<JobSnapshot> {
    return whenReady(
      this.#context.reader.locate(hash, charge),
      (sequence) => this.#heldJob(sequence, seconds, hash),
    );
  }

  /** {@linkcode Intake.submit}: the sequences of packed digests, once all are durable. */
  async accept(digests: Bytes, admission?: Admission): Promise<readonly number[]> {
    this.#context.health.checkAccepting();
    this.#checkRoom();
    const sequences = await this.#context.intake.submit(digests, admission);
    this.#context.health.checkStillStored(false);
    return sequences;
  }

  /**
   * Resolves when all of `sequences` are confirmed, `seconds` have passed or the gateway stops; with false
   * if it did not wait.
   */
  settled(sequences: readonly number[], seconds: number): Promise<boolean> {
    const { waiters, health } = this.#context;
    return health.isSigning ? waiters.wait(sequences, seconds) : Promise.resolve(false);
  }

  /** The current state of the job of an accepted sequence. `hash` is its hash, if known. */
  snapshot(sequence: number, hash?: string): JobSnapshot | Promise<JobSnapshot> {
    const { networkId, confirmed, reader, heads, index } = this.#context;
    if (!confirmed.isConfirmed(sequence)) return this.#waitingSnapshot(sequence);
    return whenAll(
      [index.acceptedAt(sequence), reader.read(sequence, hash), heads.closing(sequence)],
      (acceptedAt, read, closing) =>
        confirmedSnapshot(networkId, read!, {
          acceptedAt,
          shared: reader.sharedOf(read!),
          batch: closing && { id: closing.size, closedAt: closing.timestamp },
        }),
    );
  }

  /**
   * Throws `overloaded` if a submission would delay others. Submissions that wait for witnesses without an
   * answer delay no others: then only the bound of {@linkcode Intake} applies.
   */
  #checkRoom(): void {
    const { signer, index, spent } = this.#context;
    if (index.unsealedRuns > MAX_UNSEALED_RUNS) throw OVERLOADED;
    if (spent !== undefined && spent.index.unsealedRuns > MAX_UNSEALED_RUNS) throw OVERLOADED;
    // Submissions that wait for distant witnesses cost nothing here: allow more of them.
    const room = MAX_SUBMISSIONS * Math.max(1, signer.answerMs / PROMPT_MS);
    const isFull = this.#submissions >= room || signer.unformedCount > MAX_UNFORMED;
    if (isFull && !signer.isHeld) throw OVERLOADED;
  }

  /** The job of an assigned sequence: waits until it is durable, and up to `seconds` until it is confirmed. */
  #heldJob(
    sequence: number,
    seconds: number | undefined,
    hash: string,
  ): JobSnapshot | Promise<JobSnapshot> {
    if (this.#context.confirmed.isConfirmed(sequence)) return this.snapshot(sequence, hash);
    return this.#unconfirmedJob(sequence, seconds, hash);
  }

  async #unconfirmedJob(
    sequence: number,
    seconds: number | undefined,
    hash: string,
  ): Promise<JobSnapshot> {
    const { confirmed, waiters, committer, health } = this.#context;
    const waits = seconds !== undefined && health.isSigning;
    const wasHeld = waits && await waiters.wait([sequence], seconds);
    // Confirmed digests are durable: only durable digests are sent to witnesses.
    if (!confirmed.isConfirmed(sequence)) await committer.whenDurable(sequence + 1);
    const snapshot = this.snapshot(sequence, hash);
    // An await costs a turn of the microtask queue: nearly all jobs are answered from memory.
    const job = snapshot instanceof Promise ? await snapshot : snapshot;
    return wasHeld ? { terminal: job.terminal, json: job.json, wasHeld } : job;
  }

  async #waitingSnapshot(sequence: number): Promise<JobSnapshot> {
    const { index, signer, clock } = this.#context;
    const digest = await index.digests(sequence, sequence + 1);
    return waitingSnapshot(digest.toHex(), {
      acceptedAt: await index.acceptedAt(sequence),
      nowSeconds: unixSeconds(clock),
      state: signer.stateOf(sequence),
    });
  }
}

const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** Writes a list of jobs. */
export class JobListWriter {
  #bytes: Bytes;
  #length = 1;
  #count = 0;
  #waiting = -1;

  /** Overwrites `memory` while it is long enough. */
  constructor(memory: Bytes = new Uint8Array(1)) {
    this.#bytes = memory;
    this.#bytes[0] = OPENING_BRACKET;
  }

  /** Jobs so far. */
  get count(): number {
    return this.#count;
  }

  /** Index of the first job that is not terminal; -1 if all are. */
  get waiting(): number {
    return this.#waiting;
  }

  append({ json, terminal }: JobSnapshot): void {
    if (!terminal && this.#waiting < 0) this.#waiting = this.#count;
    const bytes = utf8(json);
    this.#reserve(bytes.length + 2, 1);
    this.#separate();
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends a job of a recent round; `left` is how many jobs of about its length follow. */
  appendRecent(jobs: RoundJobs, job: Parameters<RoundJobs["write"]>[2], left: number): void {
    this.#reserve(jobs.maxLength + 2, left + 1);
    this.#separate();
    this.#length = jobs.write(this.#bytes, this.#length, job);
  }

  /** The list and the memory that it is in. Nothing is appended to it any more. */
  end(): { readonly json: Bytes; readonly memory: Bytes } {
    this.#reserve(1, 1);
    this.#bytes[this.#length++] = CLOSING_BRACKET;
    return { json: this.#bytes.subarray(0, this.#length), memory: this.#bytes };
  }

  /** Makes room for `length` bytes; if there is none, for `times` as many. */
  #reserve(length: number, times: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const capacity = Math.max(this.#length + length * times, 2 * this.#length);
    const bytes = new Uint8Array(capacity);
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }

  #separate(): void {
    if (this.#count++ > 0) this.#bytes[this.#length++] = COMMA;
  }
}
