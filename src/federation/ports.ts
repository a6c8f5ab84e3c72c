/**
 * What cross-anchoring needs from outside, declared by it and adapted elsewhere: our own log and
 * witnesses, peers, and a store.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type {
  Contradiction,
  CrossAnchorAnswer,
  CrossAnchorRequest,
  GrowthProof,
  LoggedTreeHead,
  SeenTreeHead,
} from "../format/federation.ts";
import type { CrossAnchorRecord } from "../format/records.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { SignatureSet } from "../format/signature_set.ts";
import type { TreeHead } from "../format/tree_head.ts";

export {
  type Contradiction,
  type CrossAnchorAnswer,
  type CrossAnchorRequest,
  type GrowthProof,
  type LoggedTreeHead,
  MAX_GROWTH_PROOFS,
  type PeerCosignature,
  type SeenTreeHead,
} from "../format/federation.ts";

/**
 * One configured peer that cosigns our heads. Answers are unverified. Rejects with
 * `peer_unreachable` or `peer_refused` and stops when `signal` aborts.
 */
export interface PeerClient {
  crossAnchor(request: CrossAnchorRequest, signal: AbortSignal): Promise<CrossAnchorAnswer>;
}

/** A peer as configured. */
export interface Peer {
  /** Its pinned configuration; `id` is the peer's id. */
  readonly network: NetworkConfiguration;
  /** Distinct peer signatures that a cross-anchor needs, at least the peer's threshold. */
  readonly minWitnesses: number;
  /** Absent for a peer that our heads are not sent to. */
  readonly client?: PeerClient;
}

/** Our own log, as cross-anchoring reads it. */
export interface CrossAnchoredLog {
  /** The latest published head, of its first STH; `undefined` while there is none. */
  latest(): LoggedTreeHead | undefined;
  /** RFC 9162 consistency path between sizes of the published tree, 1 <= first <= second. */
  consistencyPath(first: number, second: number): Promise<Bytes[]>;
  /** The root of the first `size` leaves, 1 <= size <= that of the latest. */
  root(size: number): Promise<Bytes>;
  /** Calls `listener` after each publication, until `signal` aborts. */
  onPublished(listener: () => void, signal: AbortSignal): void;
}

/** Our own witnesses, as a peer's heads are put to them. */
export interface CosigningWitnesses {
  /**
   * Has `head` cosigned by as many witnesses as `required`, at its time, each asked with the proof
   * from where it stands. Sizes that `growth` has no proof from are answered in place of signatures
   * where the others are too few. Rejects with `witnesses_unavailable`, or with
   * `consistency_refused` where the witnesses refuse what `growth` proves.
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

/** Durable state of cross-anchoring. Methods reject with `storage_failed`. */
export interface FederationStore {
  /** Durable once resolved. One of the same peer and size is replaced. */
  saveCrossAnchor(record: CrossAnchorRecord): Promise<void>;
  /** The cross-anchor by `peer` of smallest size that is at least `size`. */
  firstCrossAnchor(peer: string, size: number): Promise<CrossAnchorRecord | undefined>;
  /** The cross-anchor by `peer` of largest size. */
  lastCrossAnchor(peer: string): Promise<CrossAnchorRecord | undefined>;

  /** The head of `origin` that was last accepted. */
  seenHead(origin: string): Promise<SeenTreeHead | undefined>;
  /** Durable once resolved. Callers serialize per origin; one process holds the store. */
  saveSeenHead(head: SeenTreeHead): Promise<void>;

  /** Durable once resolved. The same pair (sizes and roots) is kept once. */
  addContradiction(contradiction: Contradiction): Promise<void>;
  /** Oldest first, at most `limit`. */
  contradictions(limit: number): Promise<Contradiction[]>;
}
