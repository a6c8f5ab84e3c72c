/**
 * The result of verifying a bundle offline (verification.md "Bundle: inputs, checks, results",
 * protocol.md "Levels").
 *
 * @module
 */

import type { FollowedNetwork } from "./followed_network.ts";
import type { Failure } from "./reasons.ts";
import type { SignatureCount } from "./threshold.ts";
import type { TimeBracket } from "./time_bracket.ts";

/** Verification levels, ascending. A bundle is valid from `basic` up. */
export type Level = "invalid" | "basic" | "batched" | "federated";

/**
 * The outcome of a layer. `absent`: the bundle has none. `not_checked`: the layer below is not
 * verified, the peer's configuration was not given, or a peer has more than 8 anchors.
 */
export type LayerStatus = "verified" | "failed" | "absent" | "not_checked";

/** One layer. It has a reason if it failed or was not checked. */
export interface Layer extends Partial<Failure> {
  readonly status: LayerStatus;
}

/** A layer that a threshold signs. The count is absent if no signature was verified. */
export interface SignedLayer extends Layer {
  readonly signatures?: SignatureCount;
  /** The witness id that makes the set of signatures invalid. */
  readonly witness?: string;
}

/** One cross-anchor. A verified one counts unless it has a reason. */
export interface CrossAnchorLayer extends SignedLayer {
  readonly network: string;
  readonly counted: boolean;
}

/** The checkpoint that foreign witnesses and ML-DSA-44 keys may have cosigned. It never changes the level. */
export interface WitnessedLayer extends SignedLayer {
  /** Of a verified checkpoint. */
  readonly tree_size?: number;
  /** Names of the log and the witnesses whose ML-DSA-44 signatures it also has; absent if it has none. */
  readonly ml_dsa?: readonly string[];
}

/** Whether the counted peers meet the pinned policy. It has a reason exactly when they do not. */
export interface FederationSummary extends Partial<Failure> {
  /** The peers that count, in the order of the pinned configuration. */
  readonly counted: readonly string[];
  readonly required: number;
}

/** One external anchor: `bound` if its digest and path lead to the batch's tree head. */
export interface ExternalAnchorBinding extends Partial<Failure> {
  readonly provider: string;
  /** From the bundle; unauthenticated. */
  readonly service?: string;
  readonly bound: boolean;
}

/** External anchors, not verified with their providers. They never change the level. */
export interface ExternalAnchorSummary {
  /** How many are bound to the batch. */
  readonly present: number;
  /** How many are not bound. */
  readonly unbound: number;
  readonly anchors: readonly ExternalAnchorBinding[];
}

/** The layers of a bundle. */
export interface VerdictLayers {
  readonly attestation: SignedLayer;
  readonly batch: SignedLayer;
  readonly cross_anchors: readonly CrossAnchorLayer[];
  readonly federation: FederationSummary;
  readonly external_anchors: ExternalAnchorSummary;
  /** Absent if the bundle has no such checkpoint. */
  readonly witnessed?: WitnessedLayer;
}

/** The result of offline verification. */
export interface Verdict {
  /** True from level `basic` up. */
  readonly valid: boolean;
  readonly level: Level;
  readonly layers: VerdictLayers;
  /** The home witnesses whose signatures of the attestation verified. */
  readonly signers: readonly string[];
  /** When it was signed; open on both sides if it is not valid. */
  readonly time: TimeBracket;
  /**
   * Paths of the bundle's members that no verified signature covers. A path includes everything below
   * it.
   */
  readonly unauthenticated: readonly string[];
  readonly notProven: readonly string[];
  /** The network with the bundle's chain, if that goes further than what was followed before. */
  readonly followed?: FollowedNetwork;
}

/** What no verdict proves: the closing lines of every report (protocol.md "Command line"). */
export const NOT_PROVEN = [
  "that the content is authentic or true",
  "who owns or made the content",
  "that the content is confidential",
  "a globally agreed time",
  "that any provider will stay available",
] as const;
