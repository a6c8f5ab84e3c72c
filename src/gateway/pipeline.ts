/**
 * The gateway's working parts over one store: intake, committer, signer and sequencer, recovered
 * and started together, stopped together.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { AttestationReader } from "./attestation_reader.ts";
import { Committer } from "./committer.ts";
import { ConfirmedRounds } from "./confirmed_rounds.ts";
import { Cosigner } from "./cosigning.ts";
import { GatewayHealth } from "./gateway_health.ts";
import type { GatewayParts } from "./gateway_parts.ts";
import { HashIndex } from "./hash_index.ts";
import { Intake } from "./intake.ts";
import { LogTree } from "./log_tree.ts";
import type { RoundRecord, SthRecord } from "./ports.ts";
import { NO_OBSERVER } from "./observer.ts";
import { Prover } from "./proving.ts";
import { Publications } from "./publications.ts";
import { PublishedHeads } from "./published_heads.ts";
import { RecordCheck } from "./record_check.ts";
import { type RecoveredRounds, recoverRounds } from "./recovery.ts";
import type { SignedRound } from "./round_signing.ts";
import { Sequencer } from "./sequencing.ts";
import { Signer } from "./signing.ts";
import { SpentIds } from "./spent_ids.ts";
import { NO_TRACER } from "./tracer.ts";
import { Waiters } from "./waiters.ts";
import { WitnessPool } from "./witness_pool.ts";

/** How long a witness has for one answer. */
const WITNESS_TIMEOUT_MS = 5_000;
const HEALTH_CHECK_MS = 10_000;
/** How long a start waits to learn from witnesses whether its store is an old copy. */
const START_PROBE_MS = 2_000;

/** What recovery found, before anything moves. */
interface Recovered {
  readonly index: HashIndex;
  readonly spent: SpentIds | undefined;
  readonly confirmed: ConfirmedRounds;
  readonly tree: LogTree;
  readonly heads: PublishedHeads;
  readonly rounds: RecoveredRounds;
  readonly check: RecordCheck;
}

/** One running pipeline. */
export class Pipeline {
  readonly health: GatewayHealth;
  readonly pool: WitnessPool;
  readonly index: HashIndex;
  /** Absent where nothing is spent. */
  readonly spent: SpentIds | undefined;
  readonly confirmed: ConfirmedRounds;
  readonly heads: PublishedHeads;
  readonly committer: Committer;
  readonly intake: Intake;
  readonly signer: Signer;
  readonly reader: AttestationReader;
  readonly prover: Prover;
  readonly waiters: Waiters;
  readonly publications: Publications;
  /** Told of whatever became durable: digests, rounds and published heads. */
  readonly progress: Publications;
  readonly #parts: GatewayParts;
  readonly #sequencer: Sequencer;
  readonly #stop = new AbortController();
  /** Signed rounds between the signer and the disk, by first sequence. */
  readonly #storing = new Map<number, SignedRound>();
  /** The latest cosigned head: as published, or cosigned afresh since. */
  #checkpoint: SthRecord | undefined;
  #loops: Promise<unknown>[] = [];
  #stopped: Promise<void> | undefined;

  private constructor(parts: GatewayParts, recovered: Recovered) {
    const { network, store, clock, kernels, observer = NO_OBSERVER, tracer = NO_TRACER } = parts;
    const { index, spent, confirmed, tree, heads, rounds, check } = recovered;
    const networkId = network.id;
    this.#parts = parts;
    this.index = index;
    this.spent = spent;
    this.confirmed = confirmed;
    this.heads = heads;
    this.#checkpoint = heads.latest;
    this.waiters = new Waiters(clock, (sequence) => confirmed.isConfirmed(sequence));
    this.publications = new Publications(parts.report);
    this.progress = new Publications(parts.report);
    const pool = new WitnessPool(network, parts.witnesses, {
      verify: parts.verify,
      bls: parts.bls,
      clock,
      timeoutMs: WITNESS_TIMEOUT_MS,
      observer,
      tracer,
    });
    this.pool = pool;
    const witnessIds = pool.witnesses.map((witness) => witness.id);
    this.health = new GatewayHealth({
      ids: witnessIds,
      threshold: pool.threshold,
      treeSize: () => tree.head.size,
      acceptsBeforeWitnesses: parts.acceptsBeforeWitnesses === true,
      report: parts.report,
      setSigning: (mode) => this.signer.mode = mode,
      releaseWaiters: () => this.waiters.release(),
      doubtHead: () => this.#sequencer.doubt(),
    });
    const { evidence } = this.health;
    const { rounds: roundStore } = store;
    this.reader = new AttestationReader({
      networkId,
      witnessIds,
      rounds: roundStore,
      index,
      confirmed,
      kernels,
      check,
    });
    const { reader } = this;
    const { anchors, onDamaged: damaged = () => {} } = parts;
    this.prover = new Prover({ networkId, tree, heads, reader, kernels, anchors, damaged });
    this.committer = new Committer(roundStore, index, rounds.accepted, {
      clock,
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
   * Takes the store, recovers what it holds and goes on with it. Before it resolves, its head is put
   * to the witnesses; digests are accepted once the threshold has agreed with it.
   */
  static async start(parts: GatewayParts): Promise<Pipeline> {
    const { store, kernels, clock } = parts;
    await store.takeFence();
    const tree = await LogTree.open({ store: store.tree, kernels, clock });
    const rounds = await recoverRounds(store.rounds, tree.head.size);
    const index = await HashIndex.open(store.index, store.rounds, rounds.accepted);
    const spent = parts.spendsTokens ? await SpentIds.open(store, rounds.accepted) : undefined;
    const check = new RecordCheck(parts);
    const heads = await PublishedHeads.open({ store: store.sths, clock, check });
    if (heads.size > tree.head.size) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot recover: a tree of at least ${heads.size} required, found ${tree.head.size}`,
      );
    }
    const confirmed = new ConfirmedRounds(tree.head.size, rounds.signed);
    const pipeline = new Pipeline(parts, {
      ...{ index, spent, confirmed, tree, heads, rounds, check },
    });
    await pipeline.#sequencer.probe(START_PROBE_MS);
    pipeline.health.started();
    pipeline.signer.advance(rounds.accepted);
    pipeline.#seal(rounds.accepted);
    pipeline.#loops = [
      pipeline.#sequencer.run().catch((error) => pipeline.#fail(error)),
      pipeline.#watchWitnesses(),
      pipeline.health.watchFile(store, clock, pipeline.#stop.signal),
    ];
    return pipeline;
  }

  /** Signed rounds that are not durable yet. */
  get unstored(): readonly RoundRecord[] {
    return Array.from(this.#storing.values(), ({ record }) => record);
  }

  get checkpoint(): SthRecord | undefined {
    return this.#checkpoint;
  }

  /** Accepts nothing more. Answers that are held are given as their jobs stand. */
  refuseNew(): void {
    this.health.shutDown();
  }

  /** Ends all work, once; what was accepted is on disk. */
  stop(): Promise<void> {
    return this.#stopped ??= this.#end();
  }

  async #end(): Promise<void> {
    this.refuseNew();
    this.#stop.abort();
    this.signer.stop();
    this.#sequencer.stop();
    // A round that is signed in this very step comes too late, and is signed again after a start.
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
    const { clock } = this.#parts;
    this.index.seal(end, clock).catch((error) => this.#fail(error));
    this.spent?.seal(clock).catch((error) => this.#fail(error));
  }

  #roundSigned(round: SignedRound): void {
    this.#storing.set(round.record.first, round);
    this.committer.store(round.record);
    // A round that had been refused was signed: the witnesses may agree again.
    if (this.#sequencer.isAgreed) this.health.reconsider();
  }

  #roundStored(record: RoundRecord, submitted: RoundRecord): void {
    const signed = this.#storing.get(submitted.first);
    this.#storing.delete(submitted.first);
    // A set that was stored before ours is the final one; its tree is read when it is asked for.
    if (signed !== undefined && record === submitted) this.confirmed.add(signed);
    else this.confirmed.addStored(record.first, record.first + record.size);
    this.waiters.notify(record.first, record.size);
    this.#sequencer.confirmed();
    this.progress.notify();
  }

  #headCosigned(record: SthRecord): void {
    this.#checkpoint = record;
    // One that is cosigned afresh is no publication: the first STH of a size stays.
    if (record !== this.heads.latest) return;
    this.publications.notify();
    this.progress.notify();
  }

  #fail(error: unknown): void {
    if (!this.#stop.signal.aborted && this.health.fail()) this.#parts.onFatal(error);
  }

  async #watchWitnesses(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.pool.checkHealth(signal);
      await this.#parts.clock.sleep(HEALTH_CHECK_MS, signal);
    }
  }
}
