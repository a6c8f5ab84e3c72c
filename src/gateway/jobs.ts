/**
 * Jobs: takes digests in and answers how they stand, over a running {@linkcode Pipeline}.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { FairTurns, type Turn } from "../fair_turns.ts";
import { wordsOf } from "./keyed_hash.ts";
import { confirmedSnapshot, waitingSnapshot } from "./job.ts";
import type { Pipeline } from "./pipeline.ts";
import type { Admission } from "./ports.ts";
import type { ReadAttestation } from "./read_attestation.ts";
import type { JobList, JobSnapshot } from "./service.ts";
import type { SthRecord } from "../format/records.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;

/**
 * Submissions of single digests that may be answered at once. More would wait for one another: what
 * comes beyond is refused, so that what was taken is answered as soon as ever.
 */
const MAX_SUBMISSIONS = 768;
/** Milliseconds that witnesses take over a round and have it called prompt. */
const PROMPT_MS = 5;
/** Digests that may wait for a round before more are refused. */
const MAX_UNFORMED = 16_384;
/** Runs of the index that may be in memory, 44 MiB each: sealing keeps up, unless the disk does not. */
const MAX_UNSEALED_RUNS = 8;

/** Bulk answers from memory: a slice is some 500 jobs, and a submission waits for one at most. */
const ANSWER_TURNS = { sliceMs: 4, share: 0.8 };

/** Made once: under load, a trace for each refusal would cost what the refusal is to save. */
const OVERLOADED = new CountersignError(
  "overloaded",
  `Cannot accept digests: no more than ${MAX_SUBMISSIONS} submissions in hand, and at most ` +
    `${MAX_UNFORMED} digests that wait to be signed, required, found more`,
);

/** Jobs that are answered from memory between two looks at the clock. */
const RECENT_PER_STEP = 16;

/** The answer to a bulk request while it is made. */
interface GrowingList {
  readonly sequences: readonly number[];
  /** The digests in hex. */
  readonly hex: string;
  /** JSON of the jobs so far. */
  readonly texts: string[];
  /** Place of the first job that is not terminal; -1 while there is none. */
  waiting: number;
}

/** The jobs of one gateway. */
export class Jobs {
  readonly #networkId: string;
  readonly #clock: Clock;
  readonly #pipeline: Pipeline;
  /** Submissions of single digests that are not answered yet. */
  #submissions = 0;
  /** The digest that is being taken: nothing waits between its being set and its being copied. */
  readonly #digest = new Uint8Array(HASH_LENGTH);
  readonly #words = wordsOf(this.#digest);
  /** In which bulk answers are made from memory. */
  readonly #answerTurns: FairTurns;

  constructor(networkId: string, clock: Clock, pipeline: Pipeline) {
    this.#networkId = networkId;
    this.#clock = clock;
    this.#pipeline = pipeline;
    this.#answerTurns = new FairTurns(clock, ANSWER_TURNS);
  }

  /** `GatewayService.submitJob`. */
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

  /** `GatewayService.submitJobs`. */
  async submitAll(
    digests: Bytes,
    seconds: number | undefined,
    admission?: Admission,
  ): Promise<JobList> {
    const sequences = await this.take(digests, admission);
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

  /** `GatewayService.job`. */
  async job(hash: string, seconds: number | undefined): Promise<JobSnapshot | undefined> {
    const sequence = await this.find(Uint8Array.fromHex(hash));
    return sequence === undefined ? undefined : await this.#heldJob(sequence, seconds, hash);
  }

  /** The sequences of packed digests, once all are durable: {@linkcode Intake.submit}. */
  async take(digests: Bytes, admission?: Admission): Promise<readonly number[]> {
    this.#pipeline.health.checkAccepting();
    this.#checkRoom();
    const sequences = await this.#pipeline.intake.submit(digests, admission);
    this.#pipeline.health.checkStillStored(false);
    return sequences;
  }

  /** The sequence of an accepted and durable digest. */
  async find(digest: Bytes): Promise<number | undefined> {
    const sequence = await this.#pipeline.index.find(digest);
    // A sequence that is not on disk yet is nobody's promise.
    const isDurable = sequence !== undefined && sequence < this.#pipeline.committer.durable;
    return isDurable ? sequence : undefined;
  }

  /**
   * Resolves when all of `sequences` are confirmed, `seconds` have passed or the gateway stops: false
   * when there was nothing to wait for.
   */
  settled(sequences: readonly number[], seconds: number): Promise<boolean> {
    const { waiters, health } = this.#pipeline;
    return health.isSigning ? waiters.wait(sequences, seconds) : Promise.resolve(false);
  }

  /** The durable job of an accepted sequence, as it stands. `hash` is its own, where that is known. */
  snapshot(sequence: number, hash?: string): JobSnapshot | Promise<JobSnapshot> {
    const { confirmed, reader, heads, index } = this.#pipeline;
    if (!confirmed.isConfirmed(sequence)) return this.#waitingSnapshot(sequence);
    const acceptedAt = index.acceptedAt(sequence);
    const read = reader.read(sequence, hash);
    const closing = heads.closing(sequence);
    // All in memory is the hot path: it answers without an await.
    if (
      read === undefined || read instanceof Promise || closing instanceof Promise ||
      typeof acceptedAt !== "number"
    ) return this.#storedSnapshot(sequence, read, closing, acceptedAt);
    return this.#confirmedSnapshot(read, closing, acceptedAt);
  }

  /**
   * Refuses what would wait for others. Who waits for witnesses that do not answer takes nothing
   * from anybody: then only the committer's own bound holds.
   */
  #checkRoom(): void {
    const { signer, index, spent } = this.#pipeline;
    if (index.unsealedRuns > MAX_UNSEALED_RUNS) throw OVERLOADED;
    if (spent !== undefined && spent.index.unsealedRuns > MAX_UNSEALED_RUNS) throw OVERLOADED;
    // Who waits for witnesses that are far away waits for no one here: room grows with their time.
    const room = MAX_SUBMISSIONS * Math.max(1, signer.answerMs / PROMPT_MS);
    const isFull = this.#submissions >= room || signer.unformedCount > MAX_UNFORMED;
    if (isFull && !signer.isHeld) throw OVERLOADED;
  }

  /** The job of a sequence that was given out: durable in any case, confirmed if that comes in time. */
  async #heldJob(
    sequence: number,
    seconds: number | undefined,
    hash: string,
  ): Promise<JobSnapshot> {
    const { confirmed, waiters, committer, health } = this.#pipeline;
    const waits = seconds !== undefined && health.isSigning && !confirmed.isConfirmed(sequence);
    const wasHeld = waits && await waiters.wait([sequence], seconds);
    // Only what is durable is ever put to the witnesses.
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
      `Cannot read attestation ${sequence}: a stored round required, found none`,
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
