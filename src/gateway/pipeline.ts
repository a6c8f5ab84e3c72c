/**
 * Composes intake, committer, signer and sequencer over one store; recovers, starts and stops them.
 *
 * @module
 */

import { AttestationReader } from "./proving/attestation_reader.ts";
import { Committer } from "./intake/committer.ts";
import type { ConfirmedRounds } from "./proving/confirmed_rounds.ts";
import { Cosigner } from "./sequencing/cosigning.ts";
import { GatewayHealth } from "./gateway_health.ts";
import type { GatewayParts } from "./gateway_parts.ts";
import type { HashIndex } from "./index/hash_index.ts";
import { Intake } from "./intake/intake.ts";
import { Listeners, NO_OBSERVER } from "./observer.ts";
import { Prover } from "./proving/proving.ts";
import type { PublishedHeads } from "./sequencing/published_heads.ts";
import { type Recovered, requireUnchanged, takeStore, unlessFenceLost } from "./recovery.ts";
import type { SignedRound } from "./signing/round_signing.ts";
import { Sequencer } from "./sequencing/sequencing.ts";
import type { StoreOutage, StoreWrites } from "./settle.ts";
import { Signer } from "./signing/signing.ts";
import type { SpentIds } from "./index/spent_ids.ts";
import { NO_TRACER } from "./tracer.ts";
import { Waiters } from "./intake/waiters.ts";
import { WitnessPool } from "./signing/witness_pool.ts";
import { WitnessWatch } from "./signing/witness_watch.ts";
import type { RoundRecord, SthRecord } from "../format/records.ts";

/** Time limit for one answer of a witness. */
const WITNESS_TIMEOUT_MS = 5_000;
/** Time limit of a start for asking the witnesses whether its store is an old copy. */
const START_PROBE_MS = 2_000;

/** One running pipeline. */
export class Pipeline {
  readonly health: GatewayHealth;
  readonly pool: WitnessPool;
  readonly index: HashIndex;
  /** Absent if no tokens are redeemed. */
  readonly spent: SpentIds | undefined;
  readonly confirmed: ConfirmedRounds;
  readonly heads: PublishedHeads;
  readonly committer: Committer;
  readonly intake: Intake;
  readonly signer: Signer;
  readonly reader: AttestationReader;
  readonly prover: Prover;
  readonly waiters: Waiters;
  readonly publications: Listeners;
  /** Notified when digests, rounds or published heads become durable. */
  readonly progress: Listeners;
  readonly #parts: GatewayParts;
  readonly #sequencer: Sequencer;
  readonly #recovered: Recovered;
  readonly #writes: StoreWrites;
  readonly #stop = new AbortController();
  /** Signed rounds between the signer and the disk, by first sequence. */
  readonly #storing = new Map<number, SignedRound>();
  /** Why the gateway started without the fence; absent once it has the fence and has asked the witnesses. */
  #startOutage: StoreOutage | undefined;
  /** The latest cosigned head: as published, or as cosigned again since. */
  #checkpoint: SthRecord | undefined;
  readonly #loops: Promise<unknown>[] = [];
  #stopped: Promise<void> | undefined;

  private constructor(parts: GatewayParts, recovered: Recovered) {
    const { network, store, clock, kernels, observer = NO_OBSERVER, tracer = NO_TRACER } = parts;
    const { writes, index, spent, confirmed, tree, heads, rounds, check } = recovered;
    const networkId = network.id;
    this.#parts = parts;
    this.#recovered = recovered;
    this.#writes = writes;
    this.index = index;
    this.spent = spent;
    this.confirmed = confirmed;
    this.heads = heads;
    this.#checkpoint = heads.latest;
    this.waiters = new Waiters(clock, (sequence) => confirmed.isConfirmed(sequence));
    this.publications = new Listeners(parts.report);
    this.progress = new Listeners(parts.report);
    const pool = new WitnessPool(network, parts.witnesses, {
      ...{ verify: parts.verify, bls: parts.bls, clock, observer, tracer },
      timeoutMs: WITNESS_TIMEOUT_MS,
    });
    this.pool = pool;
    const witnessIds = pool.witnesses.map((witness) => witness.id);
    const outage = () => writes.outage ?? this.#startOutage;
    this.health = new GatewayHealth({
      ids: witnessIds,
      threshold: pool.threshold,
      ...{ outage, clock },
      oldestUnsigned: () => this.signer.oldestUnsigned,
      oldestUnpublished: () => confirmed.end > heads.size ? heads.size : undefined,
      maxAgeMs: parts.policy.maxAgeMs,
      treeSize: () => tree.head.size,
      isHeadAgreed: () => this.#sequencer.isAgreed,
      acceptsBeforeWitnesses: parts.acceptsBeforeWitnesses === true,
      report: parts.report,
      setSigning: (mode) => this.signer.mode = mode,
      releaseWaiters: () => this.waiters.release(),
      doubtHead: () => this.#sequencer.doubt(),
    });
    const { evidence } = this.health;
    const { rounds: roundStore } = store;
    this.reader = new AttestationReader({
      ...{ networkId, witnessIds, index, confirmed, kernels, check },
      rounds: roundStore,
    });
    const { reader } = this;
    const { anchors, onDamaged: damaged = () => {} } = parts;
    this.prover = new Prover({ networkId, tree, heads, reader, kernels, anchors, damaged });
    this.committer = new Committer(roundStore, index, rounds.accepted, {
      writes,
      spent,
      observer,
      tracer,
      events: {
        accepted: (end) => this.#accepted(end),
        confirmed: (record, submitted) => this.#roundStored(record, submitted),
        failed: (error) => this.#fail(error),
      },
    });
    this.intake = new Intake(index, this.committer, { spent, tracer, reader, clock });
    this.signer = new Signer({
      networkId,
      pool,
      evidence,
      index,
      clock,
      buildTree: parts.buildTree,
      beacons: parts.beacons,
      observer,
      tracer,
      headNeeded: () => this.#sequencer.refreshSoon(),
      signed: (round) => this.#roundSigned(round),
      failed: (error) => this.#fail(error),
    }, rounds);
    const consistency = (first: number, second: number) =>
      this.prover.consistencyPath(first, second);
    this.#sequencer = new Sequencer({
      tree,
      heads,
      clock,
      cosigner: new Cosigner({
        ...{ networkId, pool, evidence, clock, consistency },
        logSigner: parts.logSigner,
      }),
      policy: parts.policy,
      observer,
      tracer,
      confirmedEnd: () => confirmed.end,
      leaves: (start, end) => this.reader.leaves(start, end),
      acceptedAt: (sequence) => index.acceptedInMemory(sequence),
      published: (record) => this.#headCosigned(record),
      agreed: () => this.health.agreed(),
    });
  }

  /**
   * Takes and recovers the store, and continues its work. Before it resolves, it asks the witnesses to
   * cosign the stored head; digests are accepted once the threshold has agreed with it. A store that rejects
   * writes is served read-only until it accepts them.
   */
  static async start(parts: GatewayParts): Promise<Pipeline> {
    try {
      return await Pipeline.#start(parts);
    } catch (error) {
      throw await unlessFenceLost(parts.store, error);
    }
  }

  static async #start(parts: GatewayParts): Promise<Pipeline> {
    let pipeline: Pipeline | undefined = undefined;
    const { recovered, fence, outage } = await takeStore(parts, (outage) => {
      if (pipeline !== undefined) pipeline.#writesChanged(outage);
    });
    pipeline = new Pipeline(parts, recovered);
    if (outage === undefined) await pipeline.#goOn();
    else pipeline.#goOnLater(fence, outage);
    // Last, so that a failed start leaves no loop running.
    const { signal } = pipeline.#stop;
    pipeline.#loops.push(pipeline.health.run(parts.store, signal));
    pipeline.#loops.push(new WitnessWatch(pipeline.pool, parts).run(signal));
    return pipeline;
  }

  /** Begins to sign, seal and publish; the fence is held. */
  async #goOn(): Promise<void> {
    const { accepted } = this.#recovered.rounds;
    await this.#sequencer.probe(START_PROBE_MS);
    if (this.#stop.signal.aborted) return;
    this.health.started();
    this.signer.advance(accepted);
    this.#seal(accepted);
    this.#loops.push(this.#sequencer.run().catch((error) => this.#fail(error)));
  }

  /** Serves reads until the fence is taken. */
  #goOnLater(fence: Promise<unknown>, outage: StoreOutage): void {
    this.#startOutage = outage;
    this.health.reviewStore();
    const going = fence.then(async () => {
      await requireUnchanged(this.#parts, this.#recovered, this.#stop.signal);
      await this.#goOn();
      this.#startOutage = undefined;
      this.health.reviewStore();
    });
    this.#loops.push(going.catch((error) => this.#fail(error)));
  }

  /** Signed rounds that are not durable yet. */
  get unstored(): readonly RoundRecord[] {
    return Array.from(this.#storing.values(), ({ record }) => record);
  }

  get checkpoint(): SthRecord | undefined {
    return this.#checkpoint;
  }

  /** Accepts nothing more and ends all waits. */
  refuseNew(): void {
    this.health.shutDown();
  }

  /** Stops all work. When it resolves, all accepted digests are on disk. */
  stop(): Promise<void> {
    return this.#stopped ??= this.#end();
  }

  async #end(): Promise<void> {
    this.refuseNew();
    this.#stop.abort();
    this.signer.stop();
    this.#sequencer.stop();
    this.#writes.stop();
    // A round that is signed from here on is not stored, and is signed again after the next start.
    await this.committer.close();
    await Promise.all(this.#loops);
    await this.index.sealed();
    await this.spent?.index.sealed();
    this.#parts.store.close();
  }

  #accepted(end: number): void {
    this.signer.advance(end);
    this.#seal(end);
    this.progress.notify();
  }

  #seal(end: number): void {
    this.index.seal(end, this.#writes).catch((error) => this.#fail(error));
    this.spent?.seal(this.#writes).catch((error) => this.#fail(error));
  }

  #roundSigned(round: SignedRound): void {
    this.#storing.set(round.record.first, round);
    this.committer.store(round.record);
  }

  #roundStored(record: RoundRecord, submitted: RoundRecord): void {
    const signed = this.#storing.get(submitted.first);
    this.#storing.delete(submitted.first);
    // If another set was stored first, it is final, and its tree is read from the store when needed.
    if (signed !== undefined && record === submitted) this.confirmed.add(signed);
    else this.confirmed.addStored(record.first, record.first + record.size);
    this.waiters.notify(record.first, record.size);
    this.#sequencer.confirmed();
    this.progress.notify();
  }

  #headCosigned(record: SthRecord): void {
    this.#checkpoint = record;
    // Cosigning a head again publishes nothing: the first STH of a size stays.
    if (record !== this.heads.latest) return;
    this.publications.notify();
    this.progress.notify();
  }

  #writesChanged(outage: StoreOutage | undefined): void {
    this.health.reviewStore();
    if (outage === undefined) return;
    this.waiters.release();
    this.committer.refuseWaiters(outage);
  }

  #fail(error: unknown): void {
    if (this.#stop.signal.aborted || !this.health.fail()) return;
    const { store, onFatal } = this.#parts;
    void unlessFenceLost(store, error).then(onFatal);
  }
}
