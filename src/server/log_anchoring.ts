/**
 * What others say of the log, composed: peer networks that cosign its heads, services that anchor
 * them, the store of both, and our witnesses for the peers' own heads. All of it runs beside the
 * pipeline: a peer or a service that is away delays neither the start nor a batch.
 *
 * @module
 */

import { Anchoring, type AnchorServiceStatus, type OverdueAnchor } from "../anchors/anchoring.ts";
import { sharedProviders } from "../anchors/external_anchor.ts";
import type { AnchorStore, ConfiguredAnchor } from "../anchors/ports.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { CrossAnchoring } from "../federation/cross_anchoring.ts";
import type { PeerStatus } from "../federation/cross_anchoring.ts";
import type { FederationStore, Peer } from "../federation/ports.ts";
import { TreeHeadIntake } from "../federation/tree_head_intake.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { ForeignCosigner } from "../gateway/foreign_cosigning.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { AnchoringStatus, WitnessClient } from "../gateway/ports.ts";
import type { Report } from "../report.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import { StoredAnchors } from "./stored_anchors.ts";

/** What {@linkcode LogAnchoring} is made of. */
export interface LogAnchoringParts {
  readonly network: NetworkConfiguration;
  readonly peers: readonly Peer[];
  /** Seconds between two heads that are put to a peer; 0 for every published one. */
  readonly intervalSeconds: number;
  readonly services: readonly ConfiguredAnchor[];
  readonly stores: { readonly federation: FederationStore; readonly anchors: AnchorStore };
  readonly crypto: CryptoSuite;
  readonly clock: Clock;
  readonly report: Report;
  /** Called for a damaged anchor that bundles leave out. */
  readonly damaged: (error: CountersignError) => void;
}

/** How often something was added since the start, by peer or service. */
type Tally = ReadonlyMap<string, number>;

/** Anchoring of one log; it starts with its gateway. */
export class LogAnchoring {
  /** What bundles show. */
  readonly source: StoredAnchors;
  readonly #parts: LogAnchoringParts;
  readonly #crossAnchors = new Map<string, number>();
  readonly #anchors = new Map<string, number>();
  #running: Running | undefined;

  constructor(parts: LogAnchoringParts) {
    this.#parts = parts;
    const { peers, services, stores, crypto, damaged } = parts;
    this.source = new StoredAnchors({
      crossAnchors: stores.federation,
      peers: peers.map(({ network, minWitnesses, client }) => ({
        network,
        isAsked: client !== undefined,
        minWitnesses,
      })),
      externalAnchors: stores.anchors,
      services,
      crypto,
      damaged,
      status: () => this.#publicStatus(),
    });
  }

  /** What was added since the start. */
  get added(): { readonly crossAnchors: Tally; readonly anchors: Tally } {
    return { crossAnchors: this.#crossAnchors, anchors: this.#anchors };
  }

  /**
   * Anchors what `gateway` publishes until `signal` aborts, and takes peers' heads on behalf of
   * `witnesses`, which are the gateway's own.
   */
  start(
    gateway: Gateway,
    witnesses: readonly WitnessClient[],
    signal: AbortSignal,
  ): { readonly intake: TreeHeadIntake; readonly ended: Promise<void> } {
    const running = this.#compose(gateway, witnesses);
    this.#running = running;
    const { crossAnchoring, anchoring, intake } = running;
    const ended = Promise.all([crossAnchoring.run(signal), anchoring.run(signal)]);
    return { intake, ended: ended.then(() => {}) };
  }

  /** How each peer and each service stands, for the operator. `storage_failed`. */
  async status(): Promise<{
    readonly peers: readonly PeerStatus[];
    readonly anchors: readonly AnchorServiceStatus[];
    readonly contradictions: number;
  }> {
    const { crossAnchoring, anchoring, intake } = this.#required;
    const anchors = await anchoring.status();
    const contradictions = (await intake.contradictions()).length;
    return { peers: crossAnchoring.status(), anchors, contradictions };
  }

  /** The services that keep the gateway from being ready. `storage_failed`. */
  overdue(): Promise<readonly OverdueAnchor[]> {
    return this.#required.anchoring.overdue();
  }

  get #required(): Running {
    if (this.#running !== undefined) return this.#running;
    throw new CountersignError("internal", "Cannot tell of anchors: a running gateway required");
  }

  #compose(gateway: Gateway, witnesses: readonly WitnessClient[]): Running {
    const { network, peers, services, stores, crypto, clock, report } = this.#parts;
    const { intervalSeconds } = this.#parts;
    const random = Math.random;
    const onPublished = gateway.onPublished.bind(gateway);
    const crossAnchoring = new CrossAnchoring({
      ...{ network, peers, intervalSeconds, crypto, clock, random, report },
      log: {
        onPublished,
        latest: () => gateway.latestLogged(),
        consistencyPath: (first, second) => gateway.consistencyPath(first, second),
        root: (size) => gateway.root(size),
      },
      store: stores.federation,
      // Told once it is durable: from the next bundle on it is shown.
      crossAnchorAdded: ({ peer }) => this.#added(this.#crossAnchors, peer),
    });
    const anchoring = new Anchoring({
      ...{ anchors: services, clock, random, report, kernels: crypto.kernels },
      store: stores.anchors,
      log: {
        onPublished,
        latest: () => gateway.latestLogged()?.sth.tree_head,
        firstAbove: (size) => gateway.headAbove(size),
      },
      anchorAdded: ({ service }) => this.#added(this.#anchors, service),
    });
    const { ed25519: verify, bls } = crypto;
    const intake = new TreeHeadIntake({
      ...{ network, peers, crypto, clock, store: stores.federation },
      witnesses: new ForeignCosigner({ network, witnesses, verify, bls, clock }),
      contradictionFound: ({ origin, first, second }) =>
        report(
          `Alert: ${origin} signed two heads that contradict one another, of sizes ` +
            `${first.sth.tree_head.tree_size} and ${second.sth.tree_head.tree_size}`,
          { level: "error", peer: origin },
        ),
    });
    return { crossAnchoring, anchoring, intake };
  }

  #added(tally: Map<string, number>, name: string): void {
    tally.set(name, (tally.get(name) ?? 0) + 1);
    this.source.added();
  }

  async #publicStatus(): Promise<AnchoringStatus> {
    const { peers, anchors, contradictions } = await this.status();
    const now = unixSeconds(this.#parts.clock);
    const shared = sharedProviders(this.#parts.services);
    const age = (timestamp: number) => Math.max(0, now - timestamp);
    return {
      peers: peers.map(({ id, lastCrossAnchor: last, failingSince }) => ({
        id,
        ...(last !== undefined &&
          { last_cross_anchor: { tree_size: last.treeSize, age: age(last.timestamp) } }),
        failing: failingSince !== undefined,
      })),
      anchors: anchors.map(({ name, provider, last }) => ({
        provider,
        ...(shared.has(provider) && { service: name }),
        ...(last !== undefined && {
          last: { tree_size: last.treeSize, age: age(last.timestamp), status: last.status },
        }),
      })),
      contradictions,
    };
  }
}

interface Running {
  readonly crossAnchoring: CrossAnchoring;
  readonly anchoring: Anchoring;
  readonly intake: TreeHeadIntake;
}
