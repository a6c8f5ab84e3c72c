/**
 * The ports of federation: our own log and witnesses, peers, and a store.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type {
  AnyContradiction,
  CrossAnchorAnswer,
  CrossAnchorRequest,
  GrowthProof,
  LoggedTreeHead,
  SeenTreeHead,
} from "../../proof/format/federation.ts";
import type { CrossAnchorRecord } from "../../proof/format/records.ts";
import type { SignatureSet } from "../../proof/format/signature_set.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import type { TreeHead } from "../../proof/format/tree_head.ts";
import type { FollowedNetwork } from "../../proof/verify/followed_network.ts";

/**
 * One configured peer that cosigns our heads. Answers are unverified. Rejects with
 * `peer_unreachable` or `peer_refused` and stops when `signal` aborts.
 */
export interface PeerClient {
  crossAnchor(request: CrossAnchorRequest, signal: AbortSignal): Promise<CrossAnchorAnswer>;
}

/** A peer as configured, followed to its present epoch. */
export interface Peer {
  /** The last epoch that was followed, with all others; `id` is the peer's id. Another one later. */
  readonly network: FollowedNetwork;
  /** Distinct peer signatures that a cross-anchor needs, at least the peer's threshold. */
  readonly minWitnesses: number;
  /** Absent for a peer that does not cosign our heads. */
  readonly client?: PeerClient;
  /**
   * Follows the peer's succession further; true if `network` is of a later epoch now. Absent if its
   * gateway is unknown. Rejects with `storage_failed`.
   */
  readonly follow?: (signal: AbortSignal) => Promise<boolean>;
}

/** Fetches the chain of a peer, unverified. Rejects with `peer_unreachable` or `peer_refused`. */
export type FetchChain = (signal: AbortSignal) => Promise<readonly SuccessionLink[]>;

/** Read access to our own log. */
export interface CrossAnchoredLog {
  /** The first STH of the latest published head, if there is one. */
  latest(): LoggedTreeHead | undefined;
  /** RFC 9162 consistency path between sizes of the published tree, 1 <= first <= second. */
  consistencyPath(first: number, second: number): Promise<Bytes[]>;
  /** The root of the first `size` leaves, 1 <= size <= that of the latest. */
  root(size: number): Promise<Bytes>;
  /** Calls `listener` after each publication, until `signal` aborts. */
  onPublished(listener: () => void, signal: AbortSignal): void;
}

/** Our own witnesses, which cosign heads of peers. */
export interface CosigningWitnesses {
  /**
   * Has `required` witnesses cosign `treeHead`, each with the consistency proof from its own size. If
   * too few have a proof in `growth`, returns the sizes that need one. Rejects with
   * `witnesses_unavailable`, or with `consistency_refused` if the witnesses refuse a proof.
   */
  cosign(
    request: {
      readonly treeHead: TreeHead;
      readonly logSignature: Bytes;
      readonly growth: readonly GrowthProof[];
      readonly required: number;
    },
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: "cosigned"; readonly signatures: SignatureSet }
    | { readonly kind: "sizes_required"; readonly sizes: readonly number[] }
  >;
}

/** Reads the durable state of cross-anchoring. Methods reject with `storage_failed`. */
export interface FederationReads {
  /** The cross-anchor by `peer` of the smallest size from `size` on. */
  firstCrossAnchor(peer: string, size: number): Promise<CrossAnchorRecord | undefined>;
  /** The cross-anchor by `peer` of largest size. */
  lastCrossAnchor(peer: string): Promise<CrossAnchorRecord | undefined>;

  /** The latest accepted head of `origin`. */
  seenHead(origin: string): Promise<SeenTreeHead | undefined>;

  /** The stored chain of `peer`: links from epoch 0 on. */
  peerLinks(peer: string): Promise<readonly SuccessionLink[]>;

  /** Those from number `start` on, oldest first, at most `limit`. They are numbered from 0. */
  contradictions(start: number, limit: number): Promise<AnyContradiction[]>;
}

/**
 * Durable state of cross-anchoring. Methods reject with `storage_failed`, and writes with `fence_lost`
 * once another process has taken the store.
 */
export interface FederationStore extends FederationReads {
  /** Durable once resolved. Replaces one of the same peer and size. */
  saveCrossAnchor(record: CrossAnchorRecord): Promise<void>;
  /** Durable once resolved. Callers serialize per origin; one process holds the store. */
  saveSeenHead(head: SeenTreeHead): Promise<void>;

  /** Durable once resolved. The first link of each epoch of `peer` stays. */
  savePeerLink(peer: string, link: SuccessionLink): Promise<void>;

  /**
   * Durable once resolved. Stores the same pair of heads (sizes and roots) once, and two successions once
   * for each epoch.
   */
  addContradiction(contradiction: AnyContradiction): Promise<void>;
}
