/**
 * Messages between peer networks: tree heads to cosign, cosignatures and contradictions (protocol.md
 * "Federation").
 *
 *     request         {"sth", "log_signature", "min_witnesses",
 *                      "growth": [{"old_size", "consistency_path"} ...]}
 *     cosignature     {"witnessing_network", "tree_head", ...signatures}
 *     seen head       {"origin", "seen_at", "sth", "log_signature"}
 *     contradiction   {"origin", "found_at", "first": {"sth", "log_signature"}, "second": {...},
 *                      "consistency_path"}
 *
 * @module
 */

import { type Bytes, hexOf } from "../bytes.ts";
import type { ErrorCode } from "../errors.ts";
import { Fields } from "./fields.ts";
import {
  readSignatureSet,
  SIGNATURE_LENGTH,
  SIGNATURE_MEMBERS,
  type SignatureSet,
} from "./signature_set.ts";
import { parseStrictJson } from "./strict_json.ts";
import {
  readSignedTreeHead,
  readTreeHead,
  type SignedTreeHead,
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

/** The longest path at sizes below 2^53: 54 nodes by RFC 9162, or 53 after a first root. */
const MAX_PATH_LENGTH = 54;
/** Enough JSON values for a request with all proofs and a thousand signatures. */
const MAX_REQUEST_VALUES = 8_192;
/** Enough JSON values for many contradictions of large networks. */
const MAX_LIST_VALUES = 262_144;
const LOGGED_HEAD = ["sth", "log_signature"] as const;

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

/** Parses a request; `malformed_json` or `malformed_request`. */
export function parseCrossAnchorRequest(text: string): CrossAnchorRequest {
  const fields = new Fields(
    parseStrictJson(text, "malformed_json", MAX_REQUEST_VALUES),
    { where: "cross-anchor request", code: "malformed_request" },
    [...LOGGED_HEAD, "min_witnesses", "growth"],
  );
  const head = readLoggedHead(fields);
  const { tree_size: size } = head.sth.tree_head;
  const growth = fields.objects("growth", ["old_size", "consistency_path"])
    .map((proof) => ({ oldSize: proof.integer("old_size"), path: readPath(proof) }));
  const isOrdered = growth.every(({ oldSize }, i) =>
    oldSize > (growth[i - 1]?.oldSize ?? 0) && oldSize < size
  );
  if (growth.length > MAX_GROWTH_PROOFS) {
    throw fields.error(`growth has more than ${MAX_GROWTH_PROOFS} proofs`);
  }
  if (!isOrdered) throw fields.error(`growth is not ascending by old_size from 1 to ${size - 1}`);
  return { ...head, minWitnesses: fields.integer("min_witnesses"), growth };
}

/** The JSON members of `network`'s cosignature. */
export function peerCosignatureMembers(network: string, cosignature: PeerCosignature) {
  const { treeHead, signatures } = cosignature;
  return { witnessing_network: network, tree_head: treeHead, ...signatures };
}

/** Parses a cosignature of peer `network`. */
export function parsePeerCosignature(
  text: string,
  network: string,
  code: ErrorCode,
): PeerCosignature {
  const fields = Fields.parse(
    text,
    { where: "cosignature", code },
    ["witnessing_network", "tree_head"],
    { optional: SIGNATURE_MEMBERS, maxValues: MAX_REQUEST_VALUES },
  );
  if (fields.text("witnessing_network") !== network) {
    throw fields.error(`witnessing_network is not ${network}`);
  }
  return { treeHead: readTreeHead(fields), signatures: readSignatureSet(fields) };
}

/** The JSON members of a seen head. */
export function seenTreeHeadMembers(seen: SeenTreeHead) {
  const { network_id } = seen.sth.tree_head;
  return { origin: network_id, seen_at: seen.seenAt, ...loggedHeadMembers(seen) };
}

/** Parses a seen head. */
export function parseSeenTreeHead(text: string, code: ErrorCode): SeenTreeHead {
  const fields = Fields.parse(
    text,
    { where: "seen head", code },
    ["origin", "seen_at", ...LOGGED_HEAD],
    { maxValues: MAX_REQUEST_VALUES },
  );
  const head = readLoggedHead(fields);
  requireOrigin(fields, [head]);
  return { ...head, seenAt: fields.integer("seen_at") };
}

/** The JSON members of a contradiction. */
export function contradictionMembers({ origin, foundAt, first, second, path }: Contradiction) {
  return {
    origin,
    found_at: foundAt,
    first: loggedHeadMembers(first),
    second: loggedHeadMembers(second),
    consistency_path: path.map(hexOf),
  };
}

const CONTRADICTION = ["origin", "found_at", "first", "second", "consistency_path"];

/** Parses a contradiction. */
export function parseContradiction(text: string, code: ErrorCode): Contradiction {
  const rules = { maxValues: MAX_REQUEST_VALUES };
  return readContradiction(
    Fields.parse(text, { where: "contradiction", code }, CONTRADICTION, rules),
  );
}

/** Parses a JSON list of contradictions. */
export function parseContradictions(text: string, code: ErrorCode): Contradiction[] {
  const rules = { maxValues: MAX_LIST_VALUES };
  return Fields.parseList(text, { where: "contradictions", code }, CONTRADICTION, rules)
    .map(readContradiction);
}

function readContradiction(fields: Fields): Contradiction {
  const first = readLoggedHead(fields.object("first", LOGGED_HEAD));
  const second = readLoggedHead(fields.object("second", LOGGED_HEAD));
  requireOrigin(fields, [first, second]);
  return {
    origin: fields.text("origin"),
    foundAt: fields.integer("found_at"),
    first,
    second,
    path: readPath(fields),
  };
}

function loggedHeadMembers({ sth, logSignature }: LoggedTreeHead) {
  return { sth, log_signature: hexOf(logSignature) };
}

function readLoggedHead(fields: Fields): LoggedTreeHead {
  const signature = fields.hex("log_signature", SIGNATURE_LENGTH.ed25519);
  return { sth: readSignedTreeHead(fields, "sth"), logSignature: Uint8Array.fromHex(signature) };
}

function readPath(fields: Fields): Bytes[] {
  const path = fields.hashes("consistency_path");
  if (path.length > MAX_PATH_LENGTH) {
    throw fields.error(`consistency_path has more than ${MAX_PATH_LENGTH} nodes`);
  }
  return path.map((hash) => Uint8Array.fromHex(hash));
}

function requireOrigin(fields: Fields, heads: readonly LoggedTreeHead[]): void {
  const origin = fields.text("origin");
  if (heads.every(({ sth }) => sth.tree_head.network_id === origin)) return;
  throw fields.error(`a tree head is not of origin ${origin}`);
}
