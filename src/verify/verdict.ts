/**
 * What offline verification of a bundle finds: a level, what became of each layer, and what none of
 * it proves (protocol.md "Levels", "Command line").
 *
 * @module
 */

import type { Failure } from "./reasons.ts";
import type { SignatureCount } from "./threshold.ts";
import type { TimeBracket } from "./time_bracket.ts";

/** Local verification levels, each including those before it; `basic` is also called VALID. */
export type Level = "invalid" | "basic" | "batched" | "federated";

/**
 * What became of a layer. `absent`: the bundle has none. `not_checked`: what it builds on is not
 * verified, or no configuration was supplied to check it with.
 */
export type LayerStatus = "verified" | "failed" | "absent" | "not_checked";

/** One layer; a reason exactly when it failed or was not checked. */
export interface Layer extends Partial<Failure> {
  readonly status: LayerStatus;
}

/** A layer that a threshold signs. The count is absent where no signature was looked at. */
export interface SignedLayer extends Layer {
  readonly signatures?: SignatureCount;
  /** The witness id that makes the set of signatures invalid. */
  readonly witness?: string;
}

/** One cross-anchor. A verified one counts unless `reason` says why not. */
export interface CrossAnchorLayer extends SignedLayer {
  readonly network: string;
  readonly counted: boolean;
}

/** Whether the counted peers meet the pinned policy; `reason` exactly when they do not. */
export interface FederationSummary extends Partial<Failure> {
  /** The peers that count, in the order of the pinned configuration. */
  readonly counted: readonly string[];
  readonly required: number;
}

/** One external anchor: `bound` when its digest and path lead to the batch's tree head. */
export interface ExternalAnchorBinding extends Partial<Failure> {
  readonly provider: string;
  /** As the bundle names it; nothing covers it. */
  readonly service?: string;
  readonly bound: boolean;
}

/** External anchors, present but not independently verified; no part of the level. */
export interface ExternalAnchorSummary {
  /** How many are bound to the batch. */
  readonly present: number;
  /** How many are not, and so are not reported as present. */
  readonly unbound: number;
  readonly anchors: readonly ExternalAnchorBinding[];
}

/** The layers of a bundle, by the names of its members. */
export interface VerdictLayers {
  readonly attestation: SignedLayer;
  readonly batch: SignedLayer;
  readonly cross_anchors: readonly CrossAnchorLayer[];
  readonly federation: FederationSummary;
  readonly external_anchors: ExternalAnchorSummary;
}

/** The result of offline verification. */
export interface Verdict {
  /** True from level `basic` up. */
  readonly valid: boolean;
  readonly level: Level;
  readonly layers: VerdictLayers;
  /** The home witnesses whose signatures of the attestation verified. */
  readonly signers: readonly string[];
  /** When it was signed; open on both sides when it is not valid. */
  readonly time: TimeBracket;
  /**
   * Paths of the bundle's fields that nothing verified covers, so that they may say anything. A path
   * stands for all below it.
   */
  readonly unauthenticated: readonly string[];
  readonly notProven: readonly string[];
}

/**
 * What no verification here shows: the closing lines of every report (protocol.md "Command line").
 */
export const NOT_PROVEN = [
  "that the content is authentic or true",
  "who owns or made the content",
  "that the content is confidential",
  "a globally agreed time",
  "that any provider will stay available",
] as const;
