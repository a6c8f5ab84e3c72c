/**
 * The anchors in bundles, out of the two stores that hold them: cross-anchors by peers, and external
 * anchors by services.
 *
 * @module
 */

import type { ConfiguredAnchor } from "../anchors/configured_anchor.ts";
import {
  coveringAnchors,
  externalAnchorJson,
  sharedProviders,
} from "../anchors/external_anchor.ts";
import type { AnchorProvider, AnchorRecord, AnchorStore } from "../anchors/ports.ts";
import type { Kernels } from "../crypto/kernels.ts";
import type { CrossAnchorRecord, FederationStore } from "../federation/ports.ts";
import { signerCount } from "../format/signature_set.ts";
import type { AnchoringStatus, AnchorSource, HeadAnchor, HeadAnchors } from "../gateway/ports.ts";

/** What {@linkcode StoredAnchors} reads. */
export interface StoredAnchorsContext {
  readonly crossAnchors: Pick<FederationStore, "firstCrossAnchor" | "lastCrossAnchor">;
  /** In the order in which bundles show them. */
  readonly peers: readonly ShownPeer[];
  readonly externalAnchors: AnchorStore;
  readonly services: readonly (Pick<ConfiguredAnchor, "name" | "mode"> & {
    readonly provider: Pick<AnchorProvider, "name">;
  })[];
  readonly kernels: Kernels;
  readonly status: () => Promise<AnchoringStatus>;
}

/** A peer whose cross-anchors bundles show. */
export interface ShownPeer {
  readonly id: string;
  /** Our heads are sent to it. */
  readonly isAsked: boolean;
  /** Signatures that verifiers want of it. */
  readonly minWitnesses: number;
}

/** {@linkcode AnchorSource} over both stores. */
export class StoredAnchors implements AnchorSource {
  readonly #context: StoredAnchorsContext;
  #version = 0;

  constructor(context: StoredAnchorsContext) {
    this.#context = context;
  }

  get version(): number {
    return this.#version;
  }

  /** An anchor was stored, and is durable. */
  added(): void {
    this.#version++;
  }

  async covering(size: number): Promise<HeadAnchors> {
    const { peers, externalAnchors, services, kernels } = this.#context;
    const byPeer = await Promise.all(peers.map((peer) => this.#crossAnchorOf(peer, size)));
    const shared = sharedProviders(services);
    const off = services.filter(({ mode }) => mode === "off");
    const working = services.filter(({ mode }) => mode !== "off");
    const old = await coveringAnchors(externalAnchors, off, size);
    const live = await coveringAnchors(externalAnchors, working, size);
    return {
      crossAnchors: byPeer.flatMap((record) => record === undefined ? [] : [crossAnchor(record)]),
      externalAnchors: [...live.records, ...old.records].map((record) =>
        externalAnchor(kernels, record, shared)
      ),
      // Whoever is not asked any more adds nothing.
      isFinal: live.final &&
        peers.every((peer, place) => !peer.isAsked || isEnough(peer, byPeer[place])),
    };
  }

  status(): Promise<AnchoringStatus> {
    return this.#context.status();
  }

  /** The first that covers `size`; the last one where that is of a time when fewer were wanted. */
  async #crossAnchorOf(peer: ShownPeer, size: number): Promise<CrossAnchorRecord | undefined> {
    const { crossAnchors } = this.#context;
    const first = await crossAnchors.firstCrossAnchor(peer.id, size);
    if (first === undefined || isEnough(peer, first)) return first;
    const last = await crossAnchors.lastCrossAnchor(peer.id);
    return isEnough(peer, last) ? last : first;
  }
}

/** Each signature of a stored record was verified, and is of another witness. */
function isEnough(
  { minWitnesses }: ShownPeer,
  record: CrossAnchorRecord | undefined,
): record is CrossAnchorRecord {
  return record !== undefined && signerCount(record.signatures) >= minWitnesses;
}

function crossAnchor({ peer, treeHead, signatures }: CrossAnchorRecord): HeadAnchor {
  return {
    treeSize: treeHead.tree_size,
    rootHash: treeHead.root_hash,
    json: (consistencyPath) =>
      JSON.stringify({
        witnessing_network: peer,
        tree_head: treeHead,
        consistency_path: consistencyPath,
        ...signatures,
      }),
  };
}

function externalAnchor(
  kernels: Kernels,
  record: AnchorRecord,
  shared: ReadonlySet<string>,
): HeadAnchor {
  return {
    treeSize: record.treeHead.tree_size,
    rootHash: record.treeHead.root_hash,
    json: (consistencyPath) => externalAnchorJson(kernels, record, consistencyPath, shared),
  };
}
