/**
 * Messages between peer networks: tree heads to cosign, cosignatures and contradictions (protocol.md
 * "Federation").
 *
 *     request         {"sth", "log_signature", "min_witnesses",
 *                      "growth": [{"old_size", "consistency_path"} ...]}
 *     cosignature     {"witnessing_network", "tree_head", ...signatures}
 *     seen head       {"origin", "seen_at", "sth", "log_signature"}
 *     contradiction   {"origin", "found_at", "first": {"sth", "log_signature"}, "second": {...},
 *                      "consistency_path"}, or two successions (`succession_conflict.ts`)
 *     fork evidence   a contradiction of two heads of which each may lack "log_signature"
 *
 * @module
 */

import { type Bytes, fromHex, hexOf } from "../../base/bytes.ts";
import type { ErrorCode } from "../../base/errors.ts";
import { NETWORK_ID } from "./names.ts";
import {
  CONSISTENCY_PATH,
  count,
  list,
  object,
  type Of,
  type Schema,
  time,
  union,
} from "./schema.ts";
import { parseStrictJson } from "./strict_json.ts";
import { type SignatureSet, signed } from "./signature_set.ts";
import { SUCCESSION_CONFLICT, type SuccessionConflict } from "./succession_conflict.ts";
import {
  LOG_SIGNATURE,
  SIGNED_TREE_HEAD,
  type SignedTreeHead,
  TREE_HEAD,
  type TreeHead,
} from "./tree_head.ts";

/** A published head with everything that a peer verifies. */
export interface LoggedTreeHead {
  readonly sth: SignedTreeHead;
  /** The log key's signature over the checkpoint body, 64 bytes. */
  readonly logSignature: Bytes;
}

/**
 * A consistency path from the head of `oldSize` (RFC 9162 section 2.1.4). If `oldSize` is a power of
 * two, the older root may precede the path, so that a path from a different root shows that root.
 */
export interface GrowthProof {
  readonly oldSize: number;
  readonly path: readonly Bytes[];
}

/** Asks a peer to cosign a head. */
export interface CrossAnchorRequest extends LoggedTreeHead {
  /** Requested number of signatures; the peer uses its threshold if that is larger. */
  readonly minWitnesses: number;
  /** Ascending by size; at most {@linkcode MAX_GROWTH_PROOFS}. */
  readonly growth: readonly GrowthProof[];
}

/** Maximum number of sizes at which the witnesses and the gateway of one network may be. */
export const MAX_GROWTH_PROOFS = 16;

/** Our head, signed by a peer's witnesses at the peer's time. */
export type PeerCosignature = { readonly treeHead: TreeHead; readonly signatures: SignatureSet };

/** A peer cosigns, or lists in ascending order the sizes from which it needs proofs. */
export type CrossAnchorAnswer =
  | { readonly kind: "cosigned"; readonly cosignature: PeerCosignature }
  | { readonly kind: "sizes_required"; readonly sizes: readonly number[] };

/** The head of a peer that this network accepted last. */
export interface SeenTreeHead extends LoggedTreeHead {
  /** Unix seconds. */
  readonly seenAt: number;
}

/**
 * Two contradicting heads of one log, both signed by its threshold and its key. `path` is empty if the
 * sizes are equal; otherwise it is a consistency path to the second root from a root other than the
 * first. If the first size is a power of two, that other root precedes it ({@linkcode GrowthProof}).
 */
export interface Contradiction {
  readonly origin: string;
  /** Unix seconds. */
  readonly foundAt: number;
  /** The smaller head. */
  readonly first: LoggedTreeHead;
  readonly second: LoggedTreeHead;
  readonly path: readonly Bytes[];
}

/** Evidence against a network of either kind: two heads, or two successions of one epoch. */
export type AnyContradiction = Contradiction | SuccessionConflict;

/** A head as a client knows it, which may not have seen the log key's signature. */
export type ShownTreeHead = Pick<LoggedTreeHead, "sth"> & Partial<LoggedTreeHead>;

/** A contradiction as a client keeps it. Peers exchange only a {@linkcode Contradiction}. */
export interface ForkEvidence extends Omit<Contradiction, "first" | "second"> {
  readonly first: ShownTreeHead;
  readonly second: ShownTreeHead;
}

/** Enough JSON values for a request with all proofs and a thousand signatures. */
const MAX_REQUEST_VALUES = 8_192;
/** Enough JSON values for many contradictions of large networks. */
const MAX_LIST_VALUES = 262_144;

export const LOGGED_HEAD_MEMBERS = {
  sth: SIGNED_TREE_HEAD,
  log_signature: LOG_SIGNATURE,
} as const;

const LOGGED_TREE_HEAD = object(LOGGED_HEAD_MEMBERS).named("LoggedTreeHead", {
  description: "A tree head with the signatures of its threshold and of its log key",
});

const REQUEST = object({
  ...LOGGED_HEAD_MEMBERS,
  min_witnesses: count("Distinct signatures that the peer must obtain"),
  growth: list(
    object({ old_size: count("Size of the older head"), consistency_path: CONSISTENCY_PATH }),
    0,
    MAX_GROWTH_PROOFS,
  ),
}).map(({ growth, min_witnesses: minWitnesses, ...head }): CrossAnchorRequest | undefined => {
  const { tree_size: size } = head.sth.tree_head;
  const isOrdered = growth.every(({ old_size: oldSize }, i) =>
    oldSize > (growth[i - 1]?.old_size ?? 0) && oldSize < size
  );
  if (!isOrdered) return undefined;
  return {
    ...loggedHeadOf(head),
    minWitnesses,
    growth: growth.map((proof) => ({ oldSize: proof.old_size, path: proof.consistency_path })),
  };
}, "growth from ascending sizes of 1 to below the head's");

const PEER_COSIGNATURE = signed("PeerCosignature", {
  witnessing_network: NETWORK_ID,
  tree_head: TREE_HEAD,
}, {});

export const SEEN_TREE_HEAD = object({
  origin: NETWORK_ID,
  seen_at: time("When this gateway accepted the head"),
  ...LOGGED_HEAD_MEMBERS,
}).named("SeenTreeHead", {
  description: "The latest tree head of a peer that this gateway accepted",
})
  .map(
    ({ origin, seen_at: seenAt, ...head }): SeenTreeHead | undefined =>
      head.sth.tree_head.network_id === origin ? { ...loggedHeadOf(head), seenAt } : undefined,
    "a head of the origin",
  );

export const CONTRADICTION = object({
  origin: NETWORK_ID,
  found_at: time("When this gateway found it; not signed"),
  first: LOGGED_TREE_HEAD,
  second: LOGGED_TREE_HEAD,
  consistency_path: CONSISTENCY_PATH,
}).named("Contradiction", {
  description:
    "Two signed tree heads of one log that no append-only log can have both. At equal sizes " +
    "the roots differ and the path is empty. At different sizes the path proves that the " +
    "second root extends a root other than the first's. If the first size is a power of two, " +
    "the path begins with that other root.",
}).map(({ origin, first, second, ...other }): Contradiction | undefined => {
  if (!areOf(origin, first, second)) return undefined;
  return {
    origin,
    foundAt: other.found_at,
    first: loggedHeadOf(first),
    second: loggedHeadOf(second),
    path: other.consistency_path,
  };
}, "heads of the origin");

const SHOWN_TREE_HEAD = object({ sth: SIGNED_TREE_HEAD, log_signature: LOG_SIGNATURE.optional() });

const FORK_EVIDENCE = object({
  origin: NETWORK_ID,
  found_at: time("When the client found it; not signed"),
  first: SHOWN_TREE_HEAD,
  second: SHOWN_TREE_HEAD,
  consistency_path: CONSISTENCY_PATH,
}).map(({ origin, first, second, ...other }): ForkEvidence | undefined => {
  if (!areOf(origin, first, second)) return undefined;
  return {
    origin,
    foundAt: other.found_at,
    first: shownHeadOf(first),
    second: shownHeadOf(second),
    path: other.consistency_path,
  };
}, "heads of the origin");

const ANY_EVIDENCE: Schema<ForkEvidence | SuccessionConflict> = union(
  FORK_EVIDENCE,
  SUCCESSION_CONFLICT,
);

export const ANY_CONTRADICTION: Schema<AnyContradiction> = union(CONTRADICTION, SUCCESSION_CONFLICT)
  .named("AnyContradiction", { description: "Two tree heads, or two successions of one epoch" });

/** The JSON text of a request. */
export function encodeCrossAnchorRequest(request: CrossAnchorRequest): string {
  return JSON.stringify({
    ...loggedHeadMembers(request),
    min_witnesses: request.minWitnesses,
    growth: request.growth.map(({ oldSize, path }) => ({
      old_size: oldSize,
      consistency_path: path.map(hexOf),
    })),
  });
}

/** Parses a request; `malformed_json`, `malformed_request`. */
export function parseCrossAnchorRequest(text: string): CrossAnchorRequest {
  const value = parseStrictJson(text, "malformed_json", MAX_REQUEST_VALUES);
  return REQUEST.parse(value, { where: "cross-anchor request", code: "malformed_request" });
}

/** The JSON members of `network`'s cosignature. */
export function peerCosignatureMembers(network: string, cosignature: PeerCosignature) {
  const { treeHead, signatures } = cosignature;
  return { witnessing_network: network, tree_head: treeHead, ...signatures };
}

/** Parses a cosignature by `network`. */
export function parsePeerCosignature(
  text: string,
  network: string,
  code: ErrorCode,
): PeerCosignature {
  const schema = PEER_COSIGNATURE.map(
    ({ witnessing_network, tree_head: treeHead, ...signatures }) =>
      witnessing_network === network ? { treeHead, signatures } : undefined,
    `a cosignature by ${network}`,
  );
  return schema.parseText(text, { where: "cosignature", code }, MAX_REQUEST_VALUES);
}

/** The JSON members of a seen head. */
export function seenTreeHeadMembers(seen: SeenTreeHead) {
  const { network_id } = seen.sth.tree_head;
  return { origin: network_id, seen_at: seen.seenAt, ...loggedHeadMembers(seen) };
}

/** The JSON members of a contradiction of two heads. */
export function contradictionMembers({ origin, foundAt, first, second, path }: Contradiction) {
  return {
    origin,
    found_at: foundAt,
    first: loggedHeadMembers(first),
    second: loggedHeadMembers(second),
    consistency_path: path.map(hexOf),
  };
}

/** The JSON members of a client's evidence. */
export function forkEvidenceMembers({ origin, foundAt, first, second, path }: ForkEvidence) {
  return {
    origin,
    found_at: foundAt,
    first: shownHeadMembers(first),
    second: shownHeadMembers(second),
    consistency_path: path.map(hexOf),
  };
}

/** The JSON members of a contradiction of either kind. */
export function anyContradictionMembers(contradiction: AnyContradiction) {
  return "path" in contradiction ? contradictionMembers(contradiction) : contradiction;
}

/** The JSON text of a contradiction, indented. */
export function encodeContradiction(contradiction: AnyContradiction): string {
  return `${JSON.stringify(anyContradictionMembers(contradiction), undefined, 2)}\n`;
}

/** Parses a contradiction of two heads. */
export function parseContradiction(text: string, code: ErrorCode): Contradiction {
  return CONTRADICTION.parseText(text, { where: "contradiction", code }, MAX_REQUEST_VALUES);
}

/** Parses a client's evidence of either kind. */
export function parseEvidence(text: string, code: ErrorCode): ForkEvidence | SuccessionConflict {
  return ANY_EVIDENCE.parseText(text, { where: "evidence", code }, MAX_REQUEST_VALUES);
}

/** Reads a JSON list of contradictions; refused with `code`. */
export function parseContradictions(text: string, code: ErrorCode): readonly AnyContradiction[] {
  const context = { where: "contradictions", code };
  return list(ANY_CONTRADICTION).parseText(text, context, MAX_LIST_VALUES);
}

export function loggedHeadMembers({ sth, logSignature }: LoggedTreeHead) {
  return { sth, log_signature: hexOf(logSignature) };
}

export function loggedHeadOf(members: Of<typeof LOGGED_TREE_HEAD>): LoggedTreeHead {
  const { sth, log_signature: signature } = members;
  return { sth, logSignature: fromHex(signature) };
}

function shownHeadMembers({ sth, logSignature }: ShownTreeHead) {
  return { sth, ...(logSignature && { log_signature: hexOf(logSignature) }) };
}

function shownHeadOf(members: Of<typeof SHOWN_TREE_HEAD>): ShownTreeHead {
  const { sth, log_signature: signature } = members;
  return { sth, ...(signature !== undefined && { logSignature: fromHex(signature) }) };
}

function areOf(origin: string, ...heads: readonly { readonly sth: SignedTreeHead }[]): boolean {
  return heads.every(({ sth }) => sth.tree_head.network_id === origin);
}
