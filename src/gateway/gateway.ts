/**
 * The gateway's operations over a running {@linkcode Pipeline}.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { Batch, ConsistencyProof } from "../format/bundle.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { SignedTreeHead, TreeHead } from "../format/tree_head.ts";
import { NO_ANCHORS } from "./proving/anchor_texts.ts";
import { checkpointNote } from "./sequencing/checkpoint_note.ts";
import type { EventLog } from "./events/event_ports.ts";
import type { GatewayParts } from "./gateway_parts.ts";
import { Jobs } from "./intake/jobs.ts";
import type { WitnessPurpose } from "./observer.ts";
import { Pipeline } from "./pipeline.ts";
import { PipelineEventLog } from "./events/pipeline_event_log.ts";
import type { AnchoringStatus } from "./ports.ts";
import { type PipelineDepths, pipelineDepths } from "./pipeline_depths.ts";
import { pipelineStatus } from "./pipeline_status.ts";
import type { HealthStatus } from "../format/gateway_status.ts";
import type { GatewayService, ServiceStatus } from "./gateway_service.ts";
import type { MissingWitness } from "./signing/witness_health.ts";

/** One running gateway. */
export class Gateway implements GatewayService {
  readonly network: NetworkConfiguration;
  readonly jobs: Jobs;
  readonly #parts: GatewayParts;
  readonly #pipeline: Pipeline;

  private constructor(parts: GatewayParts, pipeline: Pipeline) {
    this.network = parts.network;
    this.#parts = parts;
    this.#pipeline = pipeline;
    this.jobs = new Jobs(parts.network.id, parts.clock, pipeline);
  }

  /** {@linkcode Pipeline.start}. */
  static async start(parts: GatewayParts): Promise<Gateway> {
    return new Gateway(parts, await Pipeline.start(parts));
  }

  /** Accepts nothing more and ends all waits. */
  refuseNew(): void {
    this.#pipeline.refuseNew();
  }

  /** {@linkcode Pipeline.stop}. */
  stop(): Promise<void> {
    return this.#pipeline.stop();
  }

  get health(): HealthStatus {
    return this.#pipeline.health.status;
  }

  get depths(): PipelineDepths {
    return pipelineDepths(this.#pipeline);
  }

  /** The witnesses that do not do `work` at present. */
  missingWitnesses(work: WitnessPurpose): readonly MissingWitness[] {
    return this.#pipeline.pool.health.missing(work);
  }

  /** The log as the source of events. */
  get eventLog(): EventLog {
    const { network, store } = this.#parts;
    return new PipelineEventLog(network.id, this.#pipeline, store.rounds);
  }

  /** Calls `listener` after each publication of a head, until `signal` aborts. */
  onPublished(listener: () => void, signal: AbortSignal): void {
    this.#pipeline.publications.listen(listener, signal);
  }

  /** The latest head as it was first published, with the log key's signature over its checkpoint. */
  latestLogged(): { readonly sth: SignedTreeHead; readonly logSignature: Bytes } | undefined {
    const { heads: { latest }, prover } = this.#pipeline;
    return latest && { sth: prover.sthOf(latest), logSignature: latest.logSignature };
  }

  /** The head published at the smallest size above `size`. */
  async headAbove(size: number): Promise<TreeHead | undefined> {
    const record = await this.#pipeline.heads.closing(size);
    return record && this.#pipeline.prover.sthOf(record).tree_head;
  }

  /** RFC 9162 consistency path between sizes of the published tree, 1 <= first <= second. */
  async consistencyPath(first: number, second: number): Promise<Bytes[]> {
    this.#requirePublished(second);
    return await this.#pipeline.prover.consistencyPath(first, second);
  }

  /** The root of the first `size` leaves of the published tree. */
  async root(size: number): Promise<Bytes> {
    this.#requirePublished(size);
    return await this.#pipeline.prover.root(size);
  }

  /** Unix seconds at which the oldest unpublished digest was accepted. */
  async unpublishedSince(): Promise<number | undefined> {
    const { confirmed, heads, index, signer } = this.#pipeline;
    const oldest = confirmed.end > heads.size ? heads.size : signer.oldestUnsigned;
    return oldest === undefined ? undefined : await index.acceptedAt(oldest);
  }

  isInMemory(sequence: number): boolean {
    return this.#pipeline.reader.isInMemory(sequence);
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
    const closing = this.#pipeline.heads.closing(sequence);
    if (closing === undefined) return undefined;
    const read = this.#read(sequence);
    if (!(read instanceof Promise) && !(closing instanceof Promise)) {
      return read && prover.merkleProof(read, closing);
    }
    return Promise.all([read, closing]).then(([read, closing]) =>
      read && closing && prover.merkleProof(read, closing)
    );
  }

  externalAnchors(sequence: number): string | Promise<string> {
    const { confirmed, heads, prover } = this.#pipeline;
    const closing = confirmed.isConfirmed(sequence) ? heads.closing(sequence) : undefined;
    if (closing instanceof Promise) {
      return closing.then((head) =>
        head === undefined ? NO_ANCHORS.externalAnchors : prover.externalAnchors(head)
      );
    }
    return closing === undefined ? NO_ANCHORS.externalAnchors : prover.externalAnchors(closing);
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
        `Cannot prove consistency from ${first} to ${second}: 1 <= first <= second must hold`,
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
      throw new CountersignError("not_confirmed", "The hash is not signed yet; retry later");
    }
    if (sequence >= treeSize) {
      throw new CountersignError(
        "malformed_parameter",
        `Cannot prove inclusion: leaf ${sequence} is not in the tree of size ${treeSize}`,
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
    return pipelineStatus(this.#parts, this.#pipeline);
  }

  anchoring(): Promise<AnchoringStatus> | undefined {
    return this.#parts.anchors?.status();
  }

  /** Only published heads can be proved. */
  #requirePublished(size: number): void {
    const published = this.#pipeline.heads.size;
    if (size <= published) return;
    throw new CountersignError(
      "tree_size_not_published",
      `Tree size ${size} is not published: the latest is ${published}`,
    );
  }

  /** The attestation of a sequence; `undefined` unless its signatures are durable. */
  #read(sequence: number): ReturnType<Pipeline["reader"]["read"]> {
    const { confirmed, reader } = this.#pipeline;
    return confirmed.isConfirmed(sequence) ? reader.read(sequence) : undefined;
  }
}
