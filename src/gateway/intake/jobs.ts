/**
 * Jobs: accepts digests and reads their jobs, over a running {@linkcode Pipeline}.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../bytes.ts";
import { type Clock, unixSeconds } from "../../clock.ts";
import { CountersignError } from "../../errors.ts";
import { FairTurns, type Turn } from "../../fair_turns.ts";
import { wordsOf } from "../index/keyed_hash.ts";
import { confirmedSnapshot, waitingSnapshot } from "./job.ts";
import type { Pipeline } from "../pipeline.ts";
import type { Admission } from "../ports.ts";
import type { ReadAttestation } from "../proving/read_attestation.ts";
import type { JobList, JobService, JobSnapshot } from "../gateway_service.ts";
import type { SthRecord } from "../../format/records.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;

/** Submissions of single digests in flight. More are refused, so that the accepted ones stay fast. */
const MAX_SUBMISSIONS = 768;
/** Witnesses that take longer than this for a round raise {@linkcode MAX_SUBMISSIONS}. */
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

/** The jobs of one gateway. */
export class Jobs implements JobService {
  readonly #networkId: string;
  readonly #clock: Clock;
  readonly #pipeline: Pipeline;
  /** Submissions of single digests in flight. */
  #submissions = 0;
  /** Reused for each submission. It is copied before the next await. */
  readonly #digest = new Uint8Array(HASH_LENGTH);
  readonly #words = wordsOf(this.#digest);
  /** Turns in which bulk answers are made from memory. */
  readonly #answerTurns: FairTurns;

  constructor(networkId: string, clock: Clock, pipeline: Pipeline) {
    this.#networkId = networkId;
    this.#clock = clock;
    this.#pipeline = pipeline;
    this.#answerTurns = new FairTurns(clock, ANSWER_TURNS);
  }

  /** {@linkcode JobService.submit}. */
  async submit(
    hash: string,
    seconds: number | undefined,
    admission?: Admission,
  ): Promise<JobSnapshot> {
    this.#pipeline.health.checkAccepting();
    this.#checkRoom();
    this.#submissions++;
    try {
      this.#digest.setFromHex(hash);
      const taken = this.#pipeline.intake.take(this.#words, 0, admission);
      const sequence = typeof taken === "number" ? taken : await taken;
      const job = await this.#heldJob(sequence, seconds, hash);
      this.#pipeline.health.checkStillStored(job.terminal);
      return job;
    } finally {
      this.#submissions--;
    }
  }

  /** {@linkcode JobService.submitAll}. */
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
      await this.#pipeline.intake.turns.run(client, (turn) => this.#appendStored(list, turn));
    }
    this.#pipeline.health.checkStillStored(list.waiting < 0);
    return { json: `[${list.texts.join()}]`, waiting: list.waiting, wasHeld };
  }

  /** Appends jobs up to the first that needs the store. */
  async #appendRecent(list: GrowingList, turn: Turn): Promise<void> {
    const { sequences, texts } = list;
    while (texts.length < sequences.length) {
      const end = Math.min(texts.length + RECENT_PER_STEP, sequences.length);
      while (texts.length < end) {
        if (!this.#pipeline.reader.isInMemory(sequences[texts.length]!)) return;
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

  /** {@linkcode JobService.get}. */
  async get(hash: string, seconds: number | undefined): Promise<JobSnapshot | undefined> {
    const sequence = await this.find(Uint8Array.fromHex(hash));
    return sequence === undefined ? undefined : await this.#heldJob(sequence, seconds, hash);
  }

  /** {@linkcode Intake.submit}: the sequences of packed digests, once all are durable. */
  async accept(digests: Bytes, admission?: Admission): Promise<readonly number[]> {
    this.#pipeline.health.checkAccepting();
    this.#checkRoom();
    const sequences = await this.#pipeline.intake.submit(digests, admission);
    this.#pipeline.health.checkStillStored(false);
    return sequences;
  }

  /** {@linkcode JobService.find}. */
  async find(digest: Bytes): Promise<number | undefined> {
    const sequence = await this.#pipeline.index.find(digest);
    // A digest that is not on disk yet is not accepted.
    const isDurable = sequence !== undefined && sequence < this.#pipeline.committer.durable;
    return isDurable ? sequence : undefined;
  }

  /**
   * Resolves when all of `sequences` are confirmed, `seconds` have passed or the gateway stops; with false
   * if it did not wait.
   */
  settled(sequences: readonly number[], seconds: number): Promise<boolean> {
    const { waiters, health } = this.#pipeline;
    return health.isSigning ? waiters.wait(sequences, seconds) : Promise.resolve(false);
  }

  /** The current state of the job of an accepted sequence. `hash` is its hash, if known. */
  snapshot(sequence: number, hash?: string): JobSnapshot | Promise<JobSnapshot> {
    const { confirmed, reader, heads, index } = this.#pipeline;
    if (!confirmed.isConfirmed(sequence)) return this.#waitingSnapshot(sequence);
    const acceptedAt = index.acceptedAt(sequence);
    const read = reader.read(sequence, hash);
    const closing = heads.closing(sequence);
    // Hot path: all data is in memory and no await is needed.
    if (
      read === undefined || read instanceof Promise || closing instanceof Promise ||
      typeof acceptedAt !== "number"
    ) return this.#storedSnapshot(sequence, read, closing, acceptedAt);
    return this.#confirmedSnapshot(read, closing, acceptedAt);
  }

  /**
   * Throws `overloaded` if a submission would delay others. Submissions that wait for witnesses without an
   * answer delay no others: then only the bound of {@linkcode Intake} applies.
   */
  #checkRoom(): void {
    const { signer, index, spent } = this.#pipeline;
    if (index.unsealedRuns > MAX_UNSEALED_RUNS) throw OVERLOADED;
    if (spent !== undefined && spent.index.unsealedRuns > MAX_UNSEALED_RUNS) throw OVERLOADED;
    // Submissions that wait for distant witnesses cost nothing here: allow more of them.
    const room = MAX_SUBMISSIONS * Math.max(1, signer.answerMs / PROMPT_MS);
    const isFull = this.#submissions >= room || signer.unformedCount > MAX_UNFORMED;
    if (isFull && !signer.isHeld) throw OVERLOADED;
  }

  /** The job of an assigned sequence: waits until it is durable, and up to `seconds` until it is confirmed. */
  async #heldJob(
    sequence: number,
    seconds: number | undefined,
    hash: string,
  ): Promise<JobSnapshot> {
    const { confirmed, waiters, committer, health } = this.#pipeline;
    const waits = seconds !== undefined && health.isSigning && !confirmed.isConfirmed(sequence);
    const wasHeld = waits && await waiters.wait([sequence], seconds);
    // Confirmed digests are durable: only durable digests are sent to witnesses.
    if (!confirmed.isConfirmed(sequence)) await committer.whenDurable(sequence + 1);
    const job = await this.snapshot(sequence, hash);
    return wasHeld ? { ...job, wasHeld } : job;
  }

  #confirmedSnapshot(
    read: ReadAttestation,
    closing: SthRecord | undefined,
    acceptedAt: number,
  ): JobSnapshot {
    return confirmedSnapshot(this.#networkId, read, {
      acceptedAt,
      shared: this.#pipeline.reader.sharedOf(read),
      batch: closing && { id: closing.size, closedAt: closing.timestamp },
    });
  }

  async #storedSnapshot(
    sequence: number,
    read: ReturnType<Pipeline["reader"]["read"]>,
    closing: ReturnType<Pipeline["heads"]["closing"]>,
    acceptedAt: number | Promise<number>,
  ): Promise<JobSnapshot> {
    const [found, head, accepted] = await Promise.all([read, closing, acceptedAt]);
    if (found !== undefined) return this.#confirmedSnapshot(found, head, accepted);
    throw new CountersignError(
      "store_corrupt",
      `The store has no round for attestation ${sequence}`,
    );
  }

  async #waitingSnapshot(sequence: number): Promise<JobSnapshot> {
    const { index, signer } = this.#pipeline;
    const digest = await index.digests(sequence, sequence + 1);
    return waitingSnapshot(digest.toHex(), {
      acceptedAt: await index.acceptedAt(sequence),
      nowSeconds: unixSeconds(this.#clock),
      state: signer.stateOf(sequence),
    });
  }
}

function append(list: GrowingList, { json, terminal }: JobSnapshot): void {
  if (!terminal && list.waiting < 0) list.waiting = list.texts.length;
  list.texts.push(json);
}
