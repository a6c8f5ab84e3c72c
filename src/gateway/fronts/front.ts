/**
 * A front: answers clients from replicas of the sequencer's state and a store that it only reads, and has
 * sequences assigned over a link. Before each read and submission it applies all updates that the
 * sequencer has published, so every front knows
 * what any other front has answered.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import type { Bls } from "../../proof/crypto/bls.ts";
import type { Ed25519Verify } from "../../proof/crypto/ed25519_rule.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { type CountersignError, hasCode } from "../../base/errors.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import { type Report, reportError } from "../../base/report.ts";
import type { EventLog } from "../events/event_ports.ts";
import { GatewayEventLog } from "../events/gateway_event_log.ts";
import type { GatewayService } from "../gateway_service.ts";
import { LinkAssigner } from "../intake/assigner.ts";
import { Intake } from "../intake/intake.ts";
import { confirmingAbsence } from "../absence.ts";
import { wrappedPart } from "../wrapped_part.ts";
import { Jobs } from "../intake/jobs.ts";
import type { AnchorSource, LogReads } from "../ports.ts";
import { composeReaders } from "../proving/log_readers.ts";
import type { PublishedLog } from "../proving/published_log.ts";
import { RecordCheck } from "../record_check.ts";
import { serviceStatus } from "../service_status.ts";
import { Epochs } from "../succession/epochs.ts";
import type { Tracer } from "../tracer.ts";
import { FrontState, type JoinedReplicas } from "./front_state.ts";
import type { AnchorsState, Follower, SequencerLink } from "./ports.ts";

export interface FrontParts {
  /** Configuration of any epoch: the sequencer sends the present one. */
  readonly network: NetworkConfiguration;
  /** The sequencer's store. */
  readonly store: LogReads;
  readonly kernels: Kernels;
  readonly verify: Ed25519Verify;
  readonly bls: Bls;
  readonly clock: Clock;
  readonly report: Report;
  /** Absent if heads are not anchored. */
  readonly anchors?: {
    readonly source: AnchorSource;
    /** Called with the state of each snapshot and each update. */
    changed(state: AnchorsState): void;
  } | undefined;
  readonly tracer?: Pick<Tracer, "currentRequest"> | undefined;
  /** Called for damage (`store_corrupt`) because of which an answer omits an anchor. */
  readonly onDamaged?: (error: CountersignError) => void;
}

export class Front implements GatewayService {
  readonly epochs: GatewayService["epochs"];
  readonly jobs: GatewayService["jobs"];
  readonly proofs: GatewayService["proofs"];
  readonly log: GatewayService["log"] & Pick<PublishedLog, "onPublished">;
  readonly status: GatewayService["status"];
  readonly eventLog: EventLog;
  readonly #state: FrontState;
  readonly #epochs: Pick<Epochs, "current">;

  private constructor(
    parts: FrontParts,
    link: SequencerLink,
    { state, replicas, check, epochs }: {
      readonly epochs: Epochs;
      readonly state: FrontState;
      readonly replicas: JoinedReplicas;
      readonly check: RecordCheck;
    },
  ) {
    const { network, store, clock, kernels, report, anchors, tracer } = parts;
    const { health, signing, index, spent } = replicas;
    const { rounds: confirmed, heads, tree, waiters, progress } = state;
    const networkId = network.id;
    const afterCatchUp = <Part extends object>(part: Part) =>
      wrappedPart(part, {
        method: (call) => (...args) => {
          link.catchUp();
          return call(...args);
        },
        read: () => link.catchUp(),
      });
    const confirm = () => health.confirmAbsence() ?? link.refresh?.();
    this.epochs = this.#epochs = afterCatchUp(epochs);
    this.#state = state;
    const { reader, log, proofs } = composeReaders({
      epochs,
      index,
      confirmed,
      heads,
      tree,
      kernels,
      check,
      report,
      anchors: anchors?.source,
      damaged: parts.onDamaged ?? (() => {}),
      rounds: store.rounds,
      durable: () => state.durable,
    });
    if (state.checkpoint !== undefined) log.cosigned(state.checkpoint);
    state.headListener = (record) => log.cosigned(record);
    const source = new LinkAssigner(link, state, tracer);
    const jobs = afterCatchUp(
      new Jobs({
        networkId,
        clock,
        health,
        waiters,
        index,
        confirmed,
        heads,
        reader,
        intake: new Intake(index, source, { spent, reader, clock }),
        committer: source,
        signer: signing,
        spent: spent && { index: spent },
      }),
    );
    this.jobs = confirmingAbsence("jobs", jobs, confirm);
    this.proofs = confirmingAbsence("proofs", afterCatchUp(proofs), confirm);
    this.log = confirmingAbsence("log", afterCatchUp(log), confirm) as Front["log"];
    this.status = afterCatchUp({
      get health() {
        return health.value.status;
      },
      resource: () => serviceStatus(health.value, state.facts, heads.latest, unixSeconds(clock)),
      anchoring: () => anchors?.source.status(heads.size),
    });
    this.eventLog = afterCatchUp(
      new GatewayEventLog({
        networkId,
        index,
        confirmed,
        heads,
        reader,
        log,
        progress,
        rounds: store.rounds,
        committer: state,
      }),
    );
  }

  /**
   * Starts a front once its first snapshot has arrived. `connect` opens its link to the sequencer, which
   * calls the follower from then on.
   */
  static async start(
    parts: FrontParts,
    connect: (follower: Follower) => SequencerLink,
  ): Promise<Front> {
    const epochs = new Epochs(parts.network);
    const check = new RecordCheck({ ...parts, epochs });
    const anchorsChanged = (state: AnchorsState) => parts.anchors?.changed(state);
    const state = new FrontState({ ...parts, epochs, anchorsChanged });
    const link = connect(state);
    const replicas = await state.whenJoined;
    // Heads that are not loaded are read when needed: a store that fails just now must not end a start.
    await state.heads.load().catch((error) => {
      if (!hasCode(error, "storage_failed")) throw error;
      reportError(parts.report, error, { level: "warning" });
    });
    return new Front(parts, link, { state, replicas, check, epochs });
  }

  get network(): NetworkConfiguration {
    return this.#epochs.current.network;
  }

  /** Requests that wait for their jobs. */
  get waiters(): number {
    return this.#state.waiters.count;
  }

  /** Ends all waits of requests. */
  close(): void {
    this.#state.waiters.release();
  }
}
