/**
 * A front: answers clients from replicas of the sequencer's state and a store that it only reads, and has
 * sequences assigned over a link. Before each read and submission it applies all updates that the
 * sequencer has published, so every front knows
 * what any other front has answered.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../clock.ts";
import type { Bls } from "../../crypto/bls.ts";
import type { Ed25519Verify } from "../../crypto/ed25519_rule.ts";
import type { Kernels } from "../../crypto/kernels.ts";
import type { CountersignError } from "../../errors.ts";
import type { NetworkConfiguration } from "../../format/network.ts";
import type { Report } from "../../report.ts";
import type { EventLog } from "../events/event_ports.ts";
import { GatewayEventLog } from "../events/gateway_event_log.ts";
import type { GatewayService } from "../gateway_service.ts";
import { LinkAssigner } from "../intake/assigner.ts";
import { Intake } from "../intake/intake.ts";
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
import { wrapMethods } from "./wrapped_methods.ts";

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
  };
  readonly tracer?: Pick<Tracer, "currentRequest">;
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
  readonly #epochs: Epochs;
  readonly #catchUp: () => void;

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
    const catchUp = () => link.catchUp();
    const afterCatchUp = (call: () => unknown) => {
      catchUp();
      return call();
    };
    this.#epochs = epochs;
    this.#catchUp = catchUp;
    this.epochs = {
      get chainJson() {
        catchUp();
        return epochs.chainJson;
      },
      ofLeaf(sequence) {
        catchUp();
        return epochs.ofLeaf(sequence);
      },
    };
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
    const jobs = new Jobs({
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
    });
    this.jobs = wrapMethods(jobs, ["submit", "submitAll", "get"], afterCatchUp);
    this.proofs = wrapMethods(proofs, [
      "bundle",
      "tlogProof",
      "coseReceipt",
      "merkleProof",
      "inclusion",
      "externalAnchors",
    ], afterCatchUp);
    this.log = wrapMethods(log, [
      "latest",
      "sthAt",
      "consistency",
      "batches",
      "batch",
      "checkpoint",
      "tile",
      "checkpointAt",
      "consistencyReceipt",
      "entries",
      "onPublished",
    ], afterCatchUp);
    this.status = {
      get health() {
        catchUp();
        return health.value.status;
      },
      resource() {
        catchUp();
        return serviceStatus(health.value, state.facts, heads.latest, unixSeconds(clock));
      },
      anchoring() {
        catchUp();
        return anchors?.source.status(heads.size);
      },
    };
    const eventLog = new GatewayEventLog({
      networkId,
      index,
      confirmed,
      heads,
      reader,
      log,
      progress,
      rounds: store.rounds,
      committer: state,
    });
    this.eventLog = {
      networkId,
      get accepted() {
        catchUp();
        return eventLog.accepted;
      },
      get confirmed() {
        catchUp();
        return eventLog.confirmed;
      },
      get published() {
        catchUp();
        return eventLog.published;
      },
      ...wrapMethods(eventLog, [
        "acceptances",
        "confirmations",
        "headAbove",
        "sequenceOf",
        "onProgress",
      ], afterCatchUp),
    };
  }

  /**
   * Starts a front once its first snapshot has arrived. `connect` opens its link to the sequencer, which
   * calls the follower from then on. Rejects with `storage_failed` if the store cannot be read.
   */
  static async start(
    parts: FrontParts,
    connect: (follower: Follower) => SequencerLink,
  ): Promise<Front> {
    const epochs = new Epochs(parts.network);
    const check = new RecordCheck({ ...parts, epochs });
    const anchorsChanged = (state: AnchorsState) => parts.anchors?.changed(state);
    const state = new FrontState({ ...parts, check, epochs, anchorsChanged });
    const link = connect(state);
    const replicas = await state.whenJoined;
    await state.heads.load();
    return new Front(parts, link, { state, replicas, check, epochs });
  }

  get network(): NetworkConfiguration {
    this.#catchUp();
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
