/**
 * Anchoring of one log: peer networks that cosign its heads, services that anchor them, the stores of
 * both, and cosigning of the peers' heads by our witnesses. It runs apart from the pipeline: an
 * unreachable peer or service delays neither the start nor a batch.
 *
 * @module
 */

import { Current } from "../../base/current.ts";
import type { AnchorsFeed, AnchorsState } from "../../gateway/fronts/ports.ts";
import {
  Anchoring,
  type AnchorServiceStatus,
  type OverdueAnchor,
} from "../../gateway/anchors/anchoring.ts";
import type { AnchorStore, ConfiguredAnchor } from "../../gateway/anchors/ports.ts";
import type { Clock } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { CrossAnchoring } from "../../gateway/federation/cross_anchoring.ts";
import type { CrossAnchorStatus } from "../../gateway/federation/cross_anchoring.ts";
import type { Evidence } from "../../gateway/federation/evidence.ts";
import { followPeers } from "../../gateway/federation/followed_peer.ts";
import type { FederationStore, Peer } from "../../gateway/federation/ports.ts";
import { TreeHeadIntake } from "../../gateway/federation/tree_head_intake.ts";
import { ForeignCosigner } from "../../gateway/sequencing/foreign_cosigning.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { AnchorList } from "../../gateway/events/event_ports.ts";
import type { ForeignQuorum } from "../../proof/format/gateway_status.ts";
import { mlDsaKeysOf } from "../../proof/format/network_check.ts";
import type { WitnessedCheckpoint } from "../../proof/format/records.ts";
import type { Report } from "../../base/report.ts";
import type { WitnessedStore } from "../../gateway/witnessing/ports.ts";
import { Witnessing, type WitnessingPlan } from "../../gateway/witnessing/witnessing.ts";
import type { WitnessingStatus } from "../../gateway/witnessing/witness_loop.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import { PublicAnchoringStatus } from "./anchoring_status.ts";
import { type ShownPeer, StoredAnchors } from "./stored_anchors.ts";

export interface LogAnchoringParts {
  readonly peers: readonly Peer[];
  /** Seconds between two heads that are sent to a peer; 0 for every published head. */
  readonly intervalSeconds: number;
  readonly services: readonly ConfiguredAnchor[];
  /** Absent without foreign witnesses and ML-DSA-44 keys. */
  readonly witnessing?: WitnessingPlan | undefined;
  readonly networkId: string;
  readonly stores: {
    readonly federation: FederationStore;
    readonly anchors: AnchorStore;
    readonly witnessed: WitnessedStore;
  };
  /** Evidence in `stores.federation`. */
  readonly evidence: Evidence;
  readonly list: Pick<AnchorList, "length">;
  readonly crypto: CryptoSuite;
  readonly clock: Clock;
  readonly report: Report;
  /** Called for a damaged anchor that bundles leave out. */
  readonly damaged: (error: CountersignError) => void;
}

/** Number of anchors added since the start, by peer or service. */
type Tally = ReadonlyMap<string, number>;

export class LogAnchoring {
  /** The anchors in bundles. */
  readonly source: StoredAnchors;
  readonly #parts: LogAnchoringParts;
  readonly #current: Current<AnchorsState>;
  readonly #crossAnchors = new Map<string, number>();
  readonly #anchors = new Map<string, number>();
  #running: Running | undefined;

  constructor(parts: LogAnchoringParts) {
    this.#parts = parts;
    const { services, stores, list, crypto, clock, damaged, networkId } = parts;
    const current = new Current<AnchorsState>({
      version: 0,
      length: list.length,
      failingPeers: [],
    });
    this.#current = current;
    const shown = {
      crossAnchors: stores.federation,
      peers: parts.peers.map(shownPeer),
      externalAnchors: stores.anchors,
      witnessed: stores.witnessed,
      networkId,
      services,
      current,
      damaged,
    };
    const evidence = { contradictions: () => parts.evidence.all() };
    const status = new PublicAnchoringStatus({ ...shown, evidence, clock });
    this.source = new StoredAnchors({ ...shown, crypto, status: (latest) => status.read(latest) });
  }

  /** The state of the anchors, for fronts. */
  get feed(): AnchorsFeed {
    return this.#current;
  }

  get added(): { readonly crossAnchors: Tally; readonly anchors: Tally } {
    return { crossAnchors: this.#crossAnchors, anchors: this.#anchors };
  }

  /**
   * Connects the parts to `gateway`, whose witnesses cosign peers' heads. Returns the intake of peers'
   * heads. Call it before the other methods.
   */
  connect(gateway: Gateway): TreeHeadIntake {
    this.#running = this.#compose(gateway);
    this.#foreignStatusChanged();
    return this.#running.intake;
  }

  /** Anchors the heads of the gateway until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { crossAnchoring, anchoring, witnessing } = this.#required;
    await Promise.all([
      witnessing?.run(signal),
      crossAnchoring.run(signal),
      anchoring.run(signal),
      followPeers(this.#parts.peers, this.#parts, signal),
    ]);
  }

  /** The status of each peer and service, for the operator. `storage_failed`. */
  async status(): Promise<{
    readonly peers: readonly CrossAnchorStatus[];
    readonly anchors: readonly AnchorServiceStatus[];
    readonly contradictions: number;
    readonly witnessing?: {
      readonly witnesses: readonly WitnessingStatus[];
      readonly quorum: ForeignQuorum | undefined;
    };
  }> {
    const { crossAnchoring, anchoring, witnessing } = this.#required;
    const anchors = await anchoring.status();
    const contradictions = (await this.#parts.evidence.all()).length;
    return {
      peers: crossAnchoring.status(),
      anchors,
      contradictions,
      ...(witnessing !== undefined && witnessing.status().length > 0 && {
        witnessing: { witnesses: witnessing.status(), quorum: witnessing.quorum },
      }),
    };
  }

  /** The overdue services, which make the gateway unready. `storage_failed`. */
  overdue(): Promise<readonly OverdueAnchor[]> {
    return this.#required.anchoring.overdue();
  }

  get #required(): Running {
    if (this.#running !== undefined) return this.#running;
    throw new CountersignError("internal", "Anchoring is not connected to a gateway");
  }

  #compose(gateway: Gateway): Running {
    const { peers, services, stores, evidence, crypto, clock, report } = this.#parts;
    const { intervalSeconds } = this.#parts;
    const random = Math.random;
    const { log } = gateway;
    const crossAnchoring = new CrossAnchoring({
      get network() {
        return gateway.network;
      },
      peers,
      intervalSeconds,
      crypto,
      clock,
      random,
      report,
      log,
      store: stores.federation,
      // Called once the cross-anchor is durable.
      crossAnchorAdded: ({ peer }) => this.#added(this.#crossAnchors, peer),
      failingChanged: () => this.#change({ failingPeers: crossAnchoring.failingPeers }),
    });
    const anchoring = new Anchoring({
      anchors: services,
      clock,
      random,
      report,
      kernels: crypto.kernels,
      store: stores.anchors,
      log: {
        onPublished: (listener, signal) => log.onPublished(listener, signal),
        latest: () => log.latest()?.sth.tree_head,
        firstAbove: (size) => log.firstAbove(size),
      },
      anchorAdded: ({ service }) => this.#added(this.#anchors, service),
    });
    const { ed25519: verify, bls } = crypto;
    const present = {
      get network() {
        return gateway.network;
      },
      get witnesses() {
        return gateway.status.witnesses;
      },
      verify,
      bls,
      clock,
    };
    const intake = new TreeHeadIntake({
      get network() {
        return gateway.network;
      },
      peers,
      evidence,
      crypto,
      clock,
      store: stores.federation,
      witnesses: new ForeignCosigner(present),
    });
    const { witnessing: plan } = this.#parts;
    const witnessing = plan && new Witnessing({
      plan,
      log,
      crypto,
      clock,
      random,
      report,
      store: stores.witnessed,
      ownKeys: () => mlDsaKeysOf(gateway.network),
      changed: (record, isNew, keys) => this.#witnessed(record, isNew, keys),
      statusChanged: () => this.#foreignStatusChanged(),
    });
    return { crossAnchoring, anchoring, intake, witnessing };
  }

  #witnessed(
    { size, rootHash, lines }: WitnessedCheckpoint,
    isNew: boolean,
    keys: number,
  ): void {
    const { version, witnessing } = this.#current.value;
    // A slow witness may cosign a checkpoint after another one was chosen.
    const isChosen = !isNew || size === witnessing?.size && rootHash === witnessing.rootHash;
    this.#change({
      ...(isNew && { version: version + 1 }),
      ...(isChosen && { witnessing: { size, rootHash, lines, keys } }),
    });
  }

  #foreignStatusChanged(): void {
    const { witnessing } = this.#required;
    const statuses = witnessing?.status() ?? [];
    if (witnessing === undefined || statuses.length === 0) return;
    const foreignWitnesses = statuses
      .map(({ cosignatures: _, failures: __, ...state }) => state);
    const { quorum } = witnessing;
    this.#change({
      foreignWitnesses,
      ...(quorum !== undefined && { foreignQuorum: quorum }),
    });
  }

  #added(tally: Map<string, number>, name: string): void {
    tally.set(name, (tally.get(name) ?? 0) + 1);
    const { version } = this.#current.value;
    this.#change({ version: version + 1, length: this.#parts.list.length });
  }

  #change(members: Partial<AnchorsState>): void {
    this.#current.set({ ...this.#current.value, ...members });
  }
}

export function shownPeer(peer: Peer): ShownPeer {
  return {
    // The configuration of the present epoch.
    get network() {
      return peer.network;
    },
    get minWitnesses() {
      return peer.minWitnesses;
    },
    isAsked: peer.client !== undefined,
  };
}

interface Running {
  readonly crossAnchoring: CrossAnchoring;
  readonly anchoring: Anchoring;
  readonly intake: TreeHeadIntake;
  readonly witnessing: Witnessing | undefined;
}
