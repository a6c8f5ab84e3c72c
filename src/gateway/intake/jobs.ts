/**
 * Accepts digests and reads their jobs (protocol.md "Jobs").
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../bytes.ts";
import { type Clock, unixSeconds } from "../../clock.ts";
import { CountersignError } from "../../errors.ts";
import { FairTurns, type Turn } from "../../fair_turns.ts";
import type { HealthView } from "../health_view.ts";
import type { DigestIndex } from "../index/digest_index.ts";
import { wordsOf } from "../index/keyed_hash.ts";
import { type AttestationReader, type ChargeRead, whenAll } from "../proving/attestation_reader.ts";
import type { ConfirmedRounds } from "../proving/confirmed_rounds.ts";
import type { PublishedHeads } from "../sequencing/published_heads.ts";
import type { SigningView } from "../signing/signing_view.ts";
import type { Committer } from "./committer.ts";
import type { Intake } from "./intake.ts";
import type { Waiters } from "./waiters.ts";
import { confirmedSnapshot, type JobList, type JobSnapshot, waitingSnapshot } from "./job.ts";
import type { Admission } from "../ports.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;

/**
 * Submissions of single digests in flight, in all threads together. More are refused, so that the accepted
 * ones stay fast.
 */
export const MAX_SUBMISSIONS = 768;
/** Witnesses that take longer than this for a round raise the maximum of submissions. */
const PROMPT_MS = 5;
/** Digests that may wait for a round before more are refused. */
const MAX_UNFORMED = 16_384;
/** Runs of the index in memory, 44 MiB each. Sealing keeps up unless the disk is too slow. */
const MAX_UNSEALED_RUNS = 8;

/** For bulk answers from memory. A slice is some 500 jobs; a submission waits for one at most. */
const ANSWER_TURNS = { sliceMs: 4, share: 0.8 };

/** Created once: under load, a stack trace for each refusal would cost too much. */
const OVERLOADED = new CountersignError(
  "overloaded",
  "Too many submissions in flight, or too many hashes that wait for signatures; retry later",
);

/** Jobs answered from memory between two checks of the time. */
const RECENT_PER_STEP = 16;

/** The answer to a bulk request in progress. */
interface GrowingList {
  readonly sequences: readonly number[];
  /** The digests in hex. */
  readonly hex: string;
  /** JSON of the jobs so far. */
  readonly texts: string[];
  /** Index of the first job that is not terminal; -1 while there is none. */
  waiting: number;
}

export interface JobsContext {
  readonly networkId: string;
  readonly clock: Clock;
  readonly health: Pick<HealthView, "checkAccepting" | "checkStillStored" | "isSigning">;
  readonly intake: Pick<Intake, "take" | "submit" | "turns">;
  readonly committer: Pick<Committer, "whenDurable">;
  readonly signer: SigningView;
  readonly waiters: Pick<Waiters, "wait">;
  readonly index: Pick<DigestIndex, "acceptedAt" | "digests" | "unsealedRuns">;
  /** Absent if no tokens are redeemed. */
  readonly spent: { readonly index: Pick<DigestIndex, "unsealedRuns"> } | undefined;
  readonly confirmed: Pick<ConfirmedRounds, "isConfirmed">;
  readonly heads: Pick<PublishedHeads, "closing">;
  readonly reader: Pick<AttestationReader, "isInMemory" | "locate" | "read" | "sharedOf">;
  /** Submissions of single digests in flight; {@linkcode MAX_SUBMISSIONS} when absent. */
  readonly maxSubmissions?: number;
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
    const list: GrowingList = { sequences, hex: digests.toHex(), texts: [], waiting: -1 };
    await this.#answerTurns.run(client, (turn) => this.#appendRecent(list, turn));
    if (list.texts.length < sequences.length) {
      await this.#context.intake.turns.run(client, (turn) => this.#appendStored(list, turn));
    }
    this.#context.health.checkStillStored(list.waiting < 0);
    return { json: `[${list.texts.join()}]`, waiting: list.waiting, wasHeld };
  }

  /** Appends jobs up to the first that needs the store. */
  async #appendRecent(list: GrowingList, turn: Turn): Promise<void> {
    const { sequences, texts } = list;
    while (texts.length < sequences.length) {
      const end = Math.min(texts.length + RECENT_PER_STEP, sequences.length);
      while (texts.length < end) {
        if (!this.#context.reader.isInMemory(sequences[texts.length]!)) return;
        const appended = this.#appendNext(list);
        if (appended !== undefined) await appended;
      }
      const pause = turn.pause();
      if (pause !== undefined) await pause;
    }
  }

  /** Appends all further jobs. */
  async #appendStored(list: GrowingList, turn: Turn): Promise<void> {
    while (list.texts.length < list.sequences.length) {
      await this.#appendNext(list);
      const pause = turn.pause();
      if (pause !== undefined) await pause;
    }
  }

  #appendNext(list: GrowingList): void | Promise<void> {
    const i = list.texts.length;
    const hash = list.hex.slice(i * HEX_LENGTH, (i + 1) * HEX_LENGTH);
    const snapshot = this.snapshot(list.sequences[i]!, hash);
    if (snapshot instanceof Promise) return snapshot.then((found) => append(list, found));
    append(list, snapshot);
  }

  /**
   * The durable job of a hash (64 lowercase hex digits); waits like {@linkcode submit}. Rejects with
   * `hash_unknown`.
   */
  async get(
    hash: string,
    seconds: number | undefined,
    charge?: ChargeRead,
  ): Promise<JobSnapshot> {
    const sequence = await this.#context.reader.locate(hash, charge);
    return await this.#heldJob(sequence, seconds, hash);
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
    const { signer, index, spent, maxSubmissions = MAX_SUBMISSIONS } = this.#context;
    if (index.unsealedRuns > MAX_UNSEALED_RUNS) throw OVERLOADED;
    if (spent !== undefined && spent.index.unsealedRuns > MAX_UNSEALED_RUNS) throw OVERLOADED;
    // Submissions that wait for distant witnesses cost nothing here: allow more of them.
    const room = maxSubmissions * Math.max(1, signer.answerMs / PROMPT_MS);
    const isFull = this.#submissions >= room || signer.unformedCount > MAX_UNFORMED;
    if (isFull && !signer.isHeld) throw OVERLOADED;
  }

  /** The job of an assigned sequence: waits until it is durable, and up to `seconds` until it is confirmed. */
  async #heldJob(
    sequence: number,
    seconds: number | undefined,
    hash: string,
  ): Promise<JobSnapshot> {
    const { confirmed, waiters, committer, health } = this.#context;
    const waits = seconds !== undefined && health.isSigning && !confirmed.isConfirmed(sequence);
    const wasHeld = waits && await waiters.wait([sequence], seconds);
    // Confirmed digests are durable: only durable digests are sent to witnesses.
    if (!confirmed.isConfirmed(sequence)) await committer.whenDurable(sequence + 1);
    const job = await this.snapshot(sequence, hash);
    return wasHeld ? { ...job, wasHeld } : job;
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

function append(list: GrowingList, { json, terminal }: JobSnapshot): void {
  if (!terminal && list.waiting < 0) list.waiting = list.texts.length;
  list.texts.push(json);
}
