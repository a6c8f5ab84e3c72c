/**
 * A gateway: composes intake, signing, sequencing and proving over one store; recovers, starts and stops
 * them.
 *
 * @module
 */

import { hasCode } from "../base/errors.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import type { RoundRecord, SthRecord } from "../proof/format/records.ts";
import { reportError } from "../base/report.ts";
import type { EventLog } from "./events/event_ports.ts";
import { GatewayEventLog } from "./events/gateway_event_log.ts";
import { confirmingAbsence } from "./absence.ts";
import { GatewaySequencer } from "./fronts/gateway_sequencer.ts";
import { GatewayHealth } from "./gateway_health.ts";
import type { GatewayParts } from "./gateway_parts.ts";
import type { GatewayService } from "./gateway_service.ts";
import { StatusSource } from "./status_source.ts";
import { Assigner } from "./intake/assigner.ts";
import { Committer } from "./intake/committer.ts";
import { Intake } from "./intake/intake.ts";
import { Jobs } from "./intake/jobs.ts";
import { Waiters } from "./intake/waiters.ts";
import { Listeners, NO_OBSERVER } from "./observer.ts";
import { composeReaders } from "./proving/log_readers.ts";
import type { Proofs } from "./proving/proofs.ts";
import type { PublishedLog } from "./proving/published_log.ts";
import { type Recovered, requireUnchanged, takeStore, unlessNoDamage } from "./recovery.ts";
import { Batcher } from "./sequencing/batching.ts";
import type { StoreOutage } from "../base/store_outage.ts";
import type { SignedRound } from "./signing/round_signing.ts";
import { Signer } from "./signing/signing.ts";
import type { Epochs } from "./succession/epochs.ts";
import type { CurrentSigners } from "./succession/current_signers.ts";
import { currentSigners, GatewaySuccession, poolOf } from "./succession/gateway_succession.ts";
import { NO_TRACER } from "./tracer.ts";

/** Time limit of a start for asking the witnesses whether its store is an old copy. */
const START_PROBE_MS = 2_000;

export class Gateway implements GatewayService {
  readonly epochs: Epochs;
  readonly jobs: Jobs;
  readonly proofs: Proofs;
  readonly log: PublishedLog;
  readonly status: StatusSource;
  /** The durable lists that events are read from. */
  readonly eventLog: EventLog;
  /** The interface for fronts. */
  readonly sequencer: GatewaySequencer;
  /** The interface for HTTP. Without the lease, this gateway may lack what another one has accepted. */
  readonly served: GatewayService & { readonly eventLog: EventLog };
  readonly #parts: GatewayParts;
  readonly #recovered: Recovered;
  readonly #health: GatewayHealth;
  readonly #succession: GatewaySuccession;
  readonly #committer: Committer;
  readonly #signer: Signer;
  readonly #signers: CurrentSigners | undefined;
  readonly #waiters: Waiters;
  readonly #batcher: Batcher;
  /** Notified when digests, rounds or published heads become durable. */
  readonly #progress: Listeners;
  readonly #stop = new AbortController();
  /** Signed rounds between the signer and the disk, by first sequence. */
  readonly #storing = new Map<number, SignedRound>();
  /** Why the gateway started without the fence; absent once it has the fence and has asked the witnesses. */
  #startOutage: StoreOutage | undefined;
  readonly #loops: Promise<unknown>[] = [];
  readonly #failed = (error: unknown) => this.#fail(error);
  #stopped: Promise<void> | undefined;

  private constructor(parts: GatewayParts, recovered: Recovered) {
    const { store, clock, kernels, report, observer = NO_OBSERVER, tracer = NO_TRACER } = parts;
    const { writes, index, spent, confirmed, tree, heads, check, epochs, rounds } = recovered;
    const networkId = parts.network.id;
    this.epochs = epochs;
    this.#parts = parts;
    this.#recovered = recovered;
    this.#progress = new Listeners(report);
    const waiters = this.#waiters = new Waiters(clock, (at) => confirmed.isConfirmed(at));
    const pool = poolOf(parts, parts);
    const health = this.#health = new GatewayHealth({
      ids: pool.witnesses.map(({ id }) => id),
      threshold: pool.threshold,
      clock,
      report,
      isActive: parts.isActive ?? (() => true),
      leaseFailure: () => parts.leaseFailure?.(),
      outage: () => writes.outage ?? this.#startOutage,
      // Absent while this constructor runs.
      isShort: () => this.#signers?.pool.isShort ?? false,
      oldestUnsigned: () => this.#signer.oldestUnsigned,
      oldestUnpublished: () => confirmed.end > heads.size ? heads.size : undefined,
      maxAgeMs: parts.policy.maxAgeMs,
      treeSize: () => tree.head.size,
      isHeadAgreed: () => this.#batcher.isAgreed,
      acceptsBeforeWitnesses: parts.acceptsBeforeWitnesses === true,
      setSigning: (mode) => this.#signer.mode = mode,
      changed: (health) => {
        if (!health.isSigning) waiters.release();
        this.sequencer.healthChanged(health);
      },
      doubtHead: () => this.#batcher.doubt(),
    });
    const { evidence } = health;
    const { anchors, anchorsFeed, onDamaged: damaged = () => {} } = parts;
    const durable = () => this.#committer.durable;
    const { reader, tiles, log, proofs } = composeReaders({
      epochs,
      index,
      confirmed,
      heads,
      tree,
      kernels,
      check,
      anchors,
      damaged,
      report,
      rounds: store.rounds,
      durable,
    });
    this.log = log;
    this.proofs = proofs;
    const committer = this.#committer = new Committer(store.rounds, index, rounds.accepted, {
      writes,
      spent,
      observer,
      tracer,
      turn: parts.turn,
      returnMs: parts.returnMs,
      attemptEnd: () => this.#signer.attemptEnd(),
      events: {
        accepted: (end) => this.#accepted(end),
        confirmed: (record, submitted) => this.#roundStored(record, submitted),
        failed: this.#failed,
      },
    });
    const assigner = new Assigner(index, committer, spent);
    const intake = new Intake(index, assigner, { spent: spent?.index, tracer, reader, clock });
    const consistency = async (from: number, to: number) => await tiles.consistencyPath(from, to);
    const signers = this.#signers = currentSigners(parts, { pool, evidence, consistency, durable });
    const signer = this.#signer = new Signer({
      networkId,
      signers,
      evidence,
      index,
      clock,
      observer,
      tracer,
      buildTree: parts.buildTree,
      beacons: parts.beacons,
      report,
      headNeeded: () => this.#batcher.refreshSoon(),
      signed: (round) => this.#roundSigned(round),
      failingChanged: () => {
        health.roundFailed();
        this.sequencer.failingChanged();
      },
      failed: this.#failed,
    }, recovered.rounds);
    this.#batcher = new Batcher({
      tree,
      heads,
      publisher: recovered.publisher,
      clock,
      policy: parts.policy,
      signers,
      observer,
      tracer,
      epochStart: () => epochs.current.start,
      confirmedEnd: () => confirmed.end,
      leaves: (start, end) => reader.leaves(start, end),
      acceptedAt: (sequence) => index.acceptedInMemory(sequence),
      grown: () => this.sequencer.treeGrown(),
      published: (record) => this.#headCosigned(record),
      adopt: () => health.hasAgreed ? Promise.resolve() : signer.adopt(),
      agreed: () => health.agreed(),
    });
    const shared = {
      networkId,
      clock,
      health: health.view,
      index,
      spent,
      confirmed,
      heads,
      reader,
      committer,
      intake,
      signer,
      waiters,
      tracer,
    };
    this.#succession = new GatewaySuccession({
      parts,
      recovered,
      signers,
      health,
      signer,
      assigner,
      committer,
      reader,
      log,
      consistency,
      batcher: this.#batcher,
      epochEnded: () => this.sequencer.epochEnded(),
    });
    const lists = { log, rounds: store.rounds, progress: this.#progress };
    this.jobs = new Jobs(shared);
    this.eventLog = new GatewayEventLog({ ...shared, ...lists });
    this.status = new StatusSource({
      ...shared,
      beacons: parts.beacons,
      anchors,
      signers,
      succession: () => this.#succession.progress,
      unstored: () => Array.from(this.#storing.values(), ({ record }) => record),
    });
    const confirm = () => health.view.confirmAbsence();
    this.served = {
      get network() {
        return epochs.current.network;
      },
      epochs,
      jobs: confirmingAbsence("jobs", this.jobs, confirm),
      proofs: confirmingAbsence("proofs", proofs, confirm),
      log: confirmingAbsence("log", log, confirm),
      status: this.status,
      eventLog: this.eventLog,
    };
    const sequenced = { assigner, tree, anchorsFeed, epochs, status: this.status };
    this.sequencer = new GatewaySequencer({ ...shared, ...sequenced });
  }

  get network(): NetworkConfiguration {
    return this.epochs.current.network;
  }

  /**
   * Takes and recovers the store, asks the witnesses to cosign its head, and continues its work; digests are
   * accepted once the threshold has agreed. A store that rejects writes is read-only until it accepts them.
   */
  static async start(parts: GatewayParts): Promise<Gateway> {
    try {
      return await Gateway.#start(parts);
    } catch (error) {
      throw await unlessNoDamage(parts.store, error);
    }
  }

  static async #start(parts: GatewayParts): Promise<Gateway> {
    let gateway: Gateway | undefined = undefined;
    const { recovered, fence, outage } = await takeStore(parts, (outage) => {
      if (gateway !== undefined) gateway.#writesChanged(outage);
    });
    gateway = new Gateway(parts, recovered);
    if (outage === undefined) await gateway.#goOn();
    else gateway.#goOnLater(fence, outage);
    // Last, so that a failed start leaves no loop running.
    const { signal } = gateway.#stop;
    gateway.#loops.push(gateway.#health.run(parts.store, signal));
    gateway.#loops.push(gateway.#succession.watch(signal));
    return gateway;
  }

  /** Begins to sign, seal and publish; the fence is held. */
  async #goOn(): Promise<void> {
    await this.#succession.recover();
    this.#signer.advance(this.#recovered.rounds.accepted);
    const started = this.#batcher.probe(START_PROBE_MS).then(() => this.#witnessesAsked());
    if (!this.#parts.isTakeover) return await started;
    this.#loops.push(started.catch(this.#failed));
  }

  #witnessesAsked(): void {
    const { accepted } = this.#recovered.rounds;
    if (this.#stop.signal.aborted) return;
    this.#health.started();
    this.#seal(accepted);
    this.#loops.push(this.#batcher.run().catch(this.#failed));
    this.#loops.push(this.#succession.run(this.#stop.signal).catch(this.#failed));
  }

  /** Serves reads until the fence is taken. */
  #goOnLater(fence: Promise<unknown>, outage: StoreOutage): void {
    this.#startOutage = outage;
    this.#health.reviewStore();
    const going = fence.then(async () => {
      await requireUnchanged(this.#parts, this.#recovered, this.#stop.signal);
      await this.#goOn();
      this.#startOutage = undefined;
      this.#health.reviewStore();
    });
    this.#loops.push(going.catch(this.#failed));
  }

  /** Called when `GatewayParts.isActive` has another result. */
  activeChanged(): void {
    this.#health.activeChanged();
  }

  /** Accepts nothing more and ends all waits. */
  refuseNew(): void {
    this.#health.shutDown();
  }

  /** Stops all work. When it resolves, all accepted digests are on disk. */
  stop(): Promise<void> {
    return this.#stopped ??= this.#end();
  }

  async #end(): Promise<void> {
    const { writes, index, spent } = this.#recovered;
    this.refuseNew();
    this.#stop.abort();
    this.#signer.stop();
    this.#batcher.stop();
    writes.stop();
    // A round that is signed from here on is not stored, and is signed again after the next start.
    await this.#committer.close();
    await Promise.all(this.#loops);
    // Also where the loop failed: another process may have taken the log while signatures were being stored.
    await this.#batcher.settled();
    await index.sealed();
    await spent?.index.sealed();
    this.sequencer.stop();
    this.#parts.store.close();
  }

  #accepted(end: number): void {
    this.#signer.advance(end);
    this.#seal(end);
    this.sequencer.accepted(end);
    this.#progress.notify();
  }

  #seal(end: number): void {
    const { writes, index, spent } = this.#recovered;
    index.seal(end, writes).catch((error) => this.#fail(error));
    spent?.seal(writes).catch((error) => this.#fail(error));
  }

  #roundSigned(round: SignedRound): void {
    this.#storing.set(round.record.first, round);
    this.#committer.store(round.record);
    this.#health.progressed();
  }

  #roundStored(record: RoundRecord, submitted: RoundRecord): void {
    const { confirmed } = this.#recovered;
    // If another set was stored first, it is final, and its tree is read from the store when needed.
    const signed = record === submitted ? this.#storing.get(record.first) : undefined;
    this.#storing.delete(submitted.first);
    if (signed !== undefined) confirmed.add(signed);
    else confirmed.addStored(record.first, record.first + record.size);
    this.#waiters.notify(record.first, record.size);
    this.#batcher.confirmed();
    this.sequencer.confirmed(record, signed?.tree);
    this.#signer.stored(submitted.first);
    this.#progress.notify();
  }

  #headCosigned(record: SthRecord): void {
    this.log.cosigned(record);
    this.#health.progressed();
    this.sequencer.headCosigned(record);
    this.#progress.notify();
  }

  #writesChanged(outage: StoreOutage | undefined): void {
    this.#health.reviewStore();
    if (outage !== undefined) this.#committer.refuseWaiters(outage);
  }

  #fail(error: unknown): void {
    if (this.#stop.signal.aborted || !this.#health.fail()) return;
    const { store, report, onFatal } = this.#parts;
    void unlessNoDamage(store, error).then((cause) => {
      // The process stays alive: only it has a deleted file open, and can serve its content.
      if (cause === error || !hasCode(cause, "storage_failed")) return onFatal(cause);
      reportError(report, cause);
    });
  }
}
