/**
 * The gateway's operations over a running {@linkcode Pipeline}.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import { unixSeconds } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import type { Batch, ConsistencyProof } from "../format/bundle.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import type { ReadAttestation } from "./read_attestation.ts";
import { checkpointNote } from "./checkpoint_note.ts";
import { confirmedSnapshot, waitingSnapshot } from "./job.ts";
import { type GatewayParts, Pipeline } from "./pipeline.ts";
import type { SthRecord } from "./ports.ts";
import { wordsOf } from "./hash_index.ts";
import type { GatewayService, JobList, JobSnapshot, ServiceStatus } from "./service.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;

/**
 * Submissions of single digests that may be answered at once. More would wait for one another: what
 * comes beyond is refused, so that what was taken is answered as soon as ever.
 */
const MAX_SUBMISSIONS = 768;
/** Digests that may wait for a round before more are refused. */
const MAX_UNFORMED = 16_384;

/** Made once: under load, a trace for each refusal would cost what the refusal is to save. */
const OVERLOADED = new CountersignError(
  "overloaded",
  `Cannot accept digests: fewer than ${MAX_SUBMISSIONS} submissions in hand, and at most ` +
    `${MAX_UNFORMED} digests that wait to be signed, required, found more`,
);

/** One running gateway. */
export class Gateway implements GatewayService {
  readonly network: NetworkConfiguration;
  readonly #parts: GatewayParts;
  readonly #pipeline: Pipeline;
  /** Submissions of single digests that are not answered yet. */
  #submissions = 0;
  /** The digest that is being taken: nothing waits between its being set and its being copied. */
  readonly #digest = new Uint8Array(HASH_LENGTH);
  readonly #words = wordsOf(this.#digest);

  private constructor(parts: GatewayParts, pipeline: Pipeline) {
    this.network = parts.network;
    this.#parts = parts;
    this.#pipeline = pipeline;
  }

  /** Takes the store, recovers it and goes on with it: {@linkcode Pipeline.start}. */
  static async start(parts: GatewayParts): Promise<Gateway> {
    return new Gateway(parts, await Pipeline.start(parts));
  }

  /** Accepts nothing more and answers those who wait with what there is. */
  refuseNew(): void {
    this.#pipeline.refuseNew();
  }

  /** Ends all work: {@linkcode Pipeline.stop}. */
  stop(): Promise<void> {
    return this.#pipeline.stop();
  }

  async submitJob(hash: string, seconds: number | undefined): Promise<JobSnapshot> {
    this.#pipeline.checkAccepting();
    this.#checkRoom();
    this.#submissions++;
    try {
      this.#digest.setFromHex(hash);
      const taken = this.#pipeline.intake.take(this.#words, 0);
      return await this.#heldJob(typeof taken === "number" ? taken : await taken, seconds, hash);
    } finally {
      this.#submissions--;
    }
  }

  async submitJobs(digests: Bytes, seconds: number | undefined): Promise<JobList> {
    const sequences = await this.submit(digests);
    if (seconds !== undefined) await this.settled(sequences, seconds);
    const hex = digests.toHex();
    const snapshots = sequences.map((sequence, i) =>
      this.snapshot(sequence, hex.slice(i * HEX_LENGTH, (i + 1) * HEX_LENGTH))
    );
    const areRead = snapshots.every((job): job is JobSnapshot => !(job instanceof Promise));
    const jobs = areRead ? snapshots : await Promise.all(snapshots);
    return {
      json: `[${jobs.map((job) => job.json).join()}]`,
      waiting: jobs.findIndex((job) => !job.terminal),
    };
  }

  async job(hash: string, seconds: number | undefined): Promise<JobSnapshot | undefined> {
    const sequence = await this.find(Uint8Array.fromHex(hash));
    return sequence === undefined ? undefined : await this.#heldJob(sequence, seconds, hash);
  }

  /** The sequences of packed digests, once all are durable: {@linkcode Intake.submit}. */
  async submit(digests: Bytes): Promise<readonly number[]> {
    this.#pipeline.checkAccepting();
    this.#checkRoom();
    return await this.#pipeline.intake.submit(digests);
  }

  async find(digest: Bytes): Promise<number | undefined> {
    const sequence = await this.#pipeline.index.find(digest);
    // A sequence that is not on disk yet is nobody's promise.
    const isDurable = sequence !== undefined && sequence < this.#pipeline.committer.durable;
    return isDurable ? sequence : undefined;
  }

  /** Resolves when all of `sequences` are confirmed, `seconds` have passed or the gateway stops. */
  settled(sequences: readonly number[], seconds: number): Promise<void> {
    const { confirmed, waiters, health } = this.#pipeline;
    if (health !== "ok") return Promise.resolve();
    const waiting = sequences.filter((sequence) => !confirmed.isConfirmed(sequence));
    return waiters.wait([...new Set(waiting)], seconds);
  }

  /** The durable job of an accepted sequence, as it stands. `hash` is its own, where that is known. */
  snapshot(sequence: number, hash?: string): JobSnapshot | Promise<JobSnapshot> {
    const { confirmed, reader, heads, index } = this.#pipeline;
    const acceptedAt = index.acceptedAt(sequence);
    if (!confirmed.isConfirmed(sequence)) return this.#waitingSnapshot(sequence, acceptedAt);
    const read = reader.read(sequence, hash);
    const closing = heads.closing(sequence);
    // All in memory is the hot path: it answers without an await.
    if (
      read === undefined || read instanceof Promise || closing instanceof Promise ||
      typeof acceptedAt !== "number"
    ) return this.#storedSnapshot(sequence, read, closing, acceptedAt);
    return this.#confirmedSnapshot(read, closing, acceptedAt);
  }

  bundle(sequence: number): string | undefined | Promise<string | undefined> {
    const { prover } = this.#pipeline;
    const read = this.#read(sequence);
    if (read === undefined) return undefined;
    const closing = this.#pipeline.heads.closing(sequence);
    if (!(read instanceof Promise) && !(closing instanceof Promise)) {
      return prover.bundle(read, closing);
    }
    return Promise.all([read, closing]).then(([read, closing]) =>
      read && prover.bundle(read, closing)
    );
  }

  merkleProof(sequence: number): string | undefined | Promise<string | undefined> {
    const { prover } = this.#pipeline;
    const read = this.#read(sequence);
    const closing = this.#pipeline.heads.closing(sequence);
    if (read === undefined || closing === undefined) return undefined;
    if (!(read instanceof Promise) && !(closing instanceof Promise)) {
      return prover.merkleProof(read, closing);
    }
    return Promise.all([read, closing]).then(([read, closing]) =>
      read && closing && prover.merkleProof(read, closing)
    );
  }

  latestSth(): Promise<SignedTreeHead | undefined> {
    const { latest } = this.#pipeline.heads;
    return Promise.resolve(latest && this.#pipeline.prover.sthOf(latest));
  }

  async sthAt(treeSize: number): Promise<SignedTreeHead | undefined> {
    const record = await this.#pipeline.heads.at(treeSize);
    return record && this.#pipeline.prover.sthOf(record);
  }

  async consistency(first: number, second: number): Promise<ConsistencyProof> {
    if (first < 1 || second < first) {
      throw new CountersignError(
        "malformed_parameter",
        `Cannot prove consistency: 1 <= first <= second required, found ${first} and ${second}`,
      );
    }
    return await this.#pipeline.prover.consistency(
      await this.#pipeline.prover.headAt(first),
      await this.#pipeline.prover.headAt(second),
    );
  }

  async inclusion(sequence: number, treeSize: number): Promise<string> {
    const record = await this.#pipeline.prover.headAt(treeSize);
    const read = await this.#read(sequence);
    if (read === undefined) {
      throw new CountersignError("not_confirmed", "Cannot prove inclusion: a signed hash required");
    }
    if (sequence >= treeSize) {
      throw new CountersignError(
        "malformed_parameter",
        `Cannot prove inclusion: a tree_size above ${sequence} required, found ${treeSize}`,
      );
    }
    return await this.#pipeline.prover.inclusion(read, record);
  }

  async batches(before: number | undefined, limit: number): Promise<readonly Batch[]> {
    const records = await this.#pipeline.heads.below(before ?? Number.MAX_SAFE_INTEGER, limit);
    return await Promise.all(records.map((record) => this.#pipeline.prover.batchOf(record)));
  }

  async batch(id: number): Promise<Batch | undefined> {
    const record = await this.#pipeline.heads.at(id);
    return record && await this.#pipeline.prover.batchOf(record);
  }

  checkpoint(): Promise<string | undefined> {
    const record = this.#pipeline.checkpoint;
    return Promise.resolve(
      record && checkpointNote(
        this.network,
        this.#parts.logSigner.publicKey,
        record,
        this.#pipeline.pool.witnesses,
      ),
    );
  }

  tile(
    level: number,
    index: number,
    width: number,
  ): Bytes | undefined | Promise<Bytes | undefined> {
    return this.#pipeline.prover.tile(level, index, width);
  }

  entries(index: number, width: number): Promise<Bytes | undefined> {
    return this.#pipeline.prover.entries(index, width);
  }

  status(): ServiceStatus {
    const now = unixSeconds(this.#parts.clock);
    const oldest = this.#pipeline.signer.oldestUnsigned;
    const acceptedAt = oldest === undefined ? undefined : this.#pipeline.index.acceptedAt(oldest);
    const { latest } = this.#pipeline.heads;
    return {
      status: this.#pipeline.health,
      witnesses: this.#pipeline.pool.witnesses.map(({ id }, place) => {
        const { lastSeenAt, lastError } = this.#pipeline.pool.health[place]!;
        return {
          id,
          healthy: lastSeenAt !== undefined && lastError === undefined,
          ...(lastSeenAt !== undefined && { last_seen_at: lastSeenAt }),
          ...(lastError !== undefined && { last_error: lastError }),
        };
      }),
      pending_count: this.#pipeline.signer.unsignedCount,
      // A job whose row left memory has waited for 2^20 others: its age is read by nobody here.
      ...(typeof acceptedAt === "number" && { oldest_pending_age: Math.max(0, now - acceptedAt) }),
      ...(latest !== undefined &&
        { sth: { tree_size: latest.size, age: Math.max(0, now - latest.timestamp) } }),
    };
  }

  /** The attestation of a sequence whose signatures are durable. */
  #read(sequence: number): ReturnType<Pipeline["reader"]["read"]> {
    const { confirmed, reader } = this.#pipeline;
    return confirmed.isConfirmed(sequence) ? reader.read(sequence) : undefined;
  }

  /**
   * Refuses what would wait for others. Who waits for witnesses that do not answer takes nothing
   * from anybody: then only the committer's own bound holds.
   */
  #checkRoom(): void {
    const { signer } = this.#pipeline;
    const isFull = this.#submissions >= MAX_SUBMISSIONS || signer.unformedCount > MAX_UNFORMED;
    if (isFull && !signer.isHeld) throw OVERLOADED;
  }

  /** The job of a sequence that was given out: durable in any case, confirmed if that comes in time. */
  async #heldJob(
    sequence: number,
    seconds: number | undefined,
    hash: string,
  ): Promise<JobSnapshot> {
    const { confirmed, waiters, committer, health } = this.#pipeline;
    if (seconds !== undefined && health === "ok" && !confirmed.isConfirmed(sequence)) {
      await waiters.wait([sequence], seconds);
    }
    // Only what is durable is ever put to the witnesses.
    if (!confirmed.isConfirmed(sequence)) await committer.whenDurable(sequence + 1);
    return await this.snapshot(sequence, hash);
  }

  #confirmedSnapshot(
    read: ReadAttestation,
    closing: SthRecord | undefined,
    acceptedAt: number,
  ): JobSnapshot {
    return confirmedSnapshot(this.network.id, read, {
      acceptedAt,
      signatures: this.#pipeline.reader.signaturesOf(read),
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

  async #waitingSnapshot(
    sequence: number,
    acceptedAt: number | Promise<number>,
  ): Promise<JobSnapshot> {
    const { index, signer } = this.#pipeline;
    const digest = await index.digests(sequence, sequence + 1);
    return waitingSnapshot(digest.toHex(), {
      acceptedAt: await acceptedAt,
      nowSeconds: unixSeconds(this.#parts.clock),
      state: signer.stateOf(sequence),
    });
  }
}
