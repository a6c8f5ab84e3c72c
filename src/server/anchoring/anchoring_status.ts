/**
 * The public status of anchoring, from the stores of anchors.
 *
 * @module
 */

import { sharedProviders } from "../../gateway/anchors/external_anchor.ts";
import type { AnchorReads } from "../../gateway/anchors/ports.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import type { CountersignError } from "../../base/errors.ts";
import type { FederationReads } from "../../gateway/federation/ports.ts";
import type {
  ForeignWitnessState,
  ForeignWitnessStatus,
} from "../../proof/format/gateway_status.ts";
import type { AnchorRecord, CrossAnchorRecord } from "../../proof/format/records.ts";
import type { AnchorsFeed } from "../../gateway/fronts/ports.ts";
import type { AnchoringStatus } from "../../gateway/ports.ts";
import type { PeerEvidence } from "../../http/gateway/evidence_routes.ts";
import { type ShownPeer, type ShownService, unlessDamaged } from "./stored_anchors.ts";

export interface AnchoringStatusContext {
  readonly crossAnchors: Pick<FederationReads, "lastCrossAnchor">;
  readonly peers: readonly ShownPeer[];
  readonly externalAnchors: Pick<AnchorReads, "last">;
  readonly services: readonly ShownService[];
  readonly evidence: Pick<PeerEvidence, "contradictions">;
  readonly current: Pick<AnchorsFeed, "value">;
  readonly clock: Clock;
  /** Called for a damaged anchor, which is omitted. */
  readonly damaged: (error: CountersignError) => void;
}

/** The last anchors, in the order of peers and services. */
interface LastAnchors {
  readonly crossAnchors: readonly (CrossAnchorRecord | undefined)[];
  readonly externalAnchors: readonly (AnchorRecord | undefined)[];
}

/** The last anchors are read again when there is a new one. */
export class PublicAnchoringStatus {
  readonly #context: AnchoringStatusContext;
  readonly #askedPeers: readonly ShownPeer[];
  readonly #sharedProviders: ReadonlySet<string>;
  #last: { readonly version: number; readonly anchors: Promise<LastAnchors> } | undefined;

  constructor(context: AnchoringStatusContext) {
    this.#context = context;
    this.#askedPeers = context.peers.filter(({ isAsked }) => isAsked);
    this.#sharedProviders = sharedProviders(context.services);
  }

  /**
   * `latest` is the size of the latest head. Rejects with `storage_failed`, or with `store_corrupt` for
   * damaged evidence.
   */
  async read(latest: number): Promise<AnchoringStatus> {
    const { services, evidence, current, clock } = this.#context;
    const { crossAnchors, externalAnchors } = await this.#lastAnchors();
    const contradictions = (await evidence.contradictions()).length;
    const { failingPeers, foreignWitnesses, foreignQuorum: quorum } = current.value;
    const failing = new Set(failingPeers);
    const now = unixSeconds(clock);
    const age = (timestamp: number) => Math.max(0, now - timestamp);
    return {
      peers: this.#askedPeers.map(({ network: { id } }, i) => {
        const last = crossAnchors[i]?.treeHead;
        return {
          id,
          ...(last !== undefined &&
            { last_cross_anchor: { tree_size: last.tree_size, age: age(last.timestamp) } }),
          failing: failing.has(id),
        };
      }),
      anchors: services.map(({ name, provider: { name: provider } }, i) => {
        const last = externalAnchors[i];
        return {
          provider,
          ...(this.#sharedProviders.has(provider) && { service: name }),
          ...(last !== undefined && {
            last: {
              tree_size: last.treeHead.tree_size,
              age: age(last.timestamp),
              status: last.status,
            },
          }),
        };
      }),
      contradictions,
      ...(foreignWitnesses !== undefined && {
        foreign_witnesses: foreignWitnesses.map((state) =>
          foreignWitnessStatus(state, latest, now)
        ),
      }),
      ...(quorum !== undefined && {
        foreign_quorum: {
          met: quorum.size > 0 && quorum.size >= latest,
          ...(quorum.size > 0 && { tree_size: quorum.size }),
          ...(quorum.behindSince !== undefined && { behind_for: age(quorum.behindSince) }),
        },
      }),
    };
  }

  #lastAnchors(): Promise<LastAnchors> {
    const { version } = this.#context.current.value;
    if (this.#last?.version === version) return this.#last.anchors;
    // The version before the read: an anchor that is stored meanwhile causes another read.
    const last = { version, anchors: this.#readLast() };
    this.#last = last;
    last.anchors.catch(() => {
      if (this.#last === last) this.#last = undefined;
    });
    return last.anchors;
  }

  async #readLast(): Promise<LastAnchors> {
    const { crossAnchors, externalAnchors, services, damaged } = this.#context;
    return {
      crossAnchors: await Promise.all(
        this.#askedPeers.map(({ network: { id } }) =>
          unlessDamaged(() => crossAnchors.lastCrossAnchor(id), damaged)
        ),
      ),
      externalAnchors: await Promise.all(
        services.map(({ name }) => unlessDamaged(() => externalAnchors.last(name), damaged)),
      ),
    };
  }
}

/** `now` in Unix seconds. */
function foreignWitnessStatus(
  { name, publicUrl, last, lastError, failingSince, nextAttemptAt }: ForeignWitnessState,
  latest: number,
  now: number,
): ForeignWitnessStatus {
  const age = (time: number) => Math.max(0, now - time);
  return {
    name,
    ...(publicUrl !== undefined && { url: publicUrl }),
    ...(last !== undefined && {
      last_cosigned: { tree_size: last.treeSize, age: age(last.at) },
      behind: Math.max(0, latest - last.treeSize),
    }),
    ...(lastError !== undefined && { last_error: lastError }),
    ...(failingSince !== undefined && { failing_for: age(failingSince) }),
    ...(nextAttemptAt !== undefined && { next_attempt_at: nextAttemptAt }),
  };
}
