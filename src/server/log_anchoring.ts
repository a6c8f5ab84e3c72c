/**
 * Anchoring of one log: peer networks that cosign its heads, services that anchor them, the stores of
 * both, and cosigning of the peers' heads by our witnesses. It runs apart from the pipeline: an
 * unreachable peer or service delays neither the start nor a batch.
 *
 * @module
 */

import { Anchoring, type AnchorServiceStatus, type OverdueAnchor } from "../anchors/anchoring.ts";
import { sharedProviders } from "../anchors/external_anchor.ts";
import type { AnchorStore, ConfiguredAnchor } from "../anchors/ports.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { CrossAnchoring } from "../federation/cross_anchoring.ts";
import type { CrossAnchorStatus } from "../federation/cross_anchoring.ts";
import type { FederationStore, Peer } from "../federation/ports.ts";
import { TreeHeadIntake } from "../federation/tree_head_intake.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { ForeignCosigner } from "../gateway/sequencing/foreign_cosigning.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { AnchoringStatus, WitnessClient } from "../gateway/ports.ts";
import type { Report } from "../report.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import { StoredAnchors } from "./stored_anchors.ts";

export interface LogAnchoringParts {
  readonly network: NetworkConfiguration;
  readonly peers: readonly Peer[];
  /** Seconds between two heads that are sent to a peer; 0 for every published head. */
  readonly intervalSeconds: number;
  readonly services: readonly ConfiguredAnchor[];
  readonly stores: { readonly federation: FederationStore; readonly anchors: AnchorStore };
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
  readonly #crossAnchors = new Map<string, number>();
  readonly #anchors = new Map<string, number>();
  #running: Running | undefined;

  constructor(parts: LogAnchoringParts) {
    this.#parts = parts;
    const { peers, services, stores, crypto, damaged } = parts;
    this.source = new StoredAnchors({
      crossAnchors: stores.federation,
      peers,
      externalAnchors: stores.anchors,
      services,
      crypto,
      damaged,
      status: () => this.#publicStatus(),
    });
  }

  get added(): { readonly crossAnchors: Tally; readonly anchors: Tally } {
    return { crossAnchors: this.#crossAnchors, anchors: this.#anchors };
  }

  /**
   * Connects the parts to `gateway`; `witnesses` are its own, and cosign peers' heads. Returns the intake
   * of peers' heads. Call it before the other methods.
   */
  connect(gateway: Gateway, witnesses: readonly WitnessClient[]): TreeHeadIntake {
    this.#running = this.#compose(gateway, witnesses);
    return this.#running.intake;
  }

  /** Anchors the heads of the gateway until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { crossAnchoring, anchoring } = this.#required;
    await Promise.all([crossAnchoring.run(signal), anchoring.run(signal)]);
  }

  /** The status of each peer and service, for the operator. `storage_failed`. */
  async status(): Promise<{
    readonly peers: readonly CrossAnchorStatus[];
    readonly anchors: readonly AnchorServiceStatus[];
    readonly contradictions: number;
  }> {
    const { crossAnchoring, anchoring, intake } = this.#required;
    const anchors = await anchoring.status();
    const contradictions = (await intake.contradictions()).length;
    return { peers: crossAnchoring.status(), anchors, contradictions };
  }

  /** The overdue services, which make the gateway unready. `storage_failed`. */
  overdue(): Promise<readonly OverdueAnchor[]> {
    return this.#required.anchoring.overdue();
  }

  get #required(): Running {
    if (this.#running !== undefined) return this.#running;
    throw new CountersignError("internal", "Anchoring is not connected to a gateway");
  }

  #compose(gateway: Gateway, witnesses: readonly WitnessClient[]): Running {
    const { network, peers, services, stores, crypto, clock, report } = this.#parts;
    const { intervalSeconds } = this.#parts;
    const random = Math.random;
    const { log } = gateway;
    const crossAnchoring = new CrossAnchoring({
      ...{ network, peers, intervalSeconds, crypto, clock, random, report },
      log,
      store: stores.federation,
      // Called once the cross-anchor is durable.
      crossAnchorAdded: ({ peer }) => this.#added(this.#crossAnchors, peer),
    });
    const anchoring = new Anchoring({
      ...{ anchors: services, clock, random, report, kernels: crypto.kernels },
      store: stores.anchors,
      log: {
        onPublished: (listener, signal) => log.onPublished(listener, signal),
        latest: () => log.latest()?.sth.tree_head,
        firstAbove: (size) => log.firstAbove(size),
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
