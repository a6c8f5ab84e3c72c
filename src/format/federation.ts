/**
 * What peer networks tell one another: tree heads to cosign, cosignatures, and what contradicts
 * itself. Known members only, all required; hashes and signatures are lowercase hex.
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
import { CountersignError, type ErrorCode } from "../errors.ts";
import { Fields } from "./fields.ts";
import { readSignatureSet, SIGNATURE_LENGTH, SIGNATURE_MEMBERS } from "./signature_set.ts";
import type { SignatureSet } from "./signature_set.ts";
import { type JsonValue, parseStrictJson } from "./strict_json.ts";
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
 * How a head extends the one of `oldSize` (RFC 9162 section 2.1.4). Where that is a power of two the
 * RFC leaves the older root out of the path, since the verifier has it; here it may stand in front,
 * as section 2.1.4.2 puts it there, so that a path from another root than the verifier's shows which.
 */
export interface GrowthProof {
  readonly oldSize: number;
  readonly path: readonly Bytes[];
}

/** What is put to a peer. */
export interface CrossAnchorRequest extends LoggedTreeHead {
  /** Distinct signatures that are asked for; the peer's threshold when that is more. */
  readonly minWitnesses: number;
  /** Ascending by size; at most {@linkcode MAX_GROWTH_PROOFS}. */
  readonly growth: readonly GrowthProof[];
}

/** Sizes at which the witnesses of one network may stand, and its gateway. */
export const MAX_GROWTH_PROOFS = 16;

/** Our head under a peer's signatures, at the peer's time. */
export type PeerCosignature = { readonly treeHead: TreeHead; readonly signatures: SignatureSet };

/** A peer cosigns, or needs proofs from other sizes, ascending. */
export type CrossAnchorAnswer =
  | { readonly kind: "cosigned"; readonly cosignature: PeerCosignature }
  | { readonly kind: "sizes_required"; readonly sizes: readonly number[] };

/** A peer's head as it was last accepted here. */
export interface SeenTreeHead extends LoggedTreeHead {
  /** Unix seconds. */
  readonly seenAt: number;
}

/**
 * Two heads of one log, both signed by its threshold and its key, that contradict one another:
 * `path` is empty when they are of one size, and otherwise a consistency path that leads to the
 * second's root from another root than the first's. Where the first's size is a power of two, that
 * other root stands in front of it ({@linkcode GrowthProof}).
 */
export interface Contradiction {
  readonly origin: string;
  /** Unix seconds. */
  readonly foundAt: number;
  /** The smaller first. */
  readonly first: LoggedTreeHead;
  readonly second: LoggedTreeHead;
  readonly path: readonly Bytes[];
}

/** Nodes of the longest path at sizes below 2^53: 54 of a proof of RFC 9162, or 53 behind a first root. */
const MAX_PATH_LENGTH = 54;
/** JSON values of a request with every proof that it may have, and a thousand signatures. */
const MAX_REQUEST_VALUES = 8_192;
/** Values of a list of contradictions of great networks. */
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

/** The request of JSON `text`; `malformed_json`, `malformed_request`. */
export function parseCrossAnchorRequest(text: string): CrossAnchorRequest {
  const fields = new Fields(
    parseStrictJson(text, "malformed_json", MAX_REQUEST_VALUES),
    { where: "cross-anchor request", code: "malformed_request" },
    [...LOGGED_HEAD, "min_witnesses", "growth"],
  );
  const head = readLoggedHead(fields);
  const { tree_size: size } = head.sth.tree_head;
  const growth = fields.list("growth").map((value, i) => {
    const proof = fields.within(value, `growth[${i}]`, ["old_size", "consistency_path"]);
    return { oldSize: proof.integer("old_size"), path: readPath(proof) };
  });
  const isOrdered = growth.every(({ oldSize }, i) =>
    oldSize > (growth[i - 1]?.oldSize ?? 0) && oldSize < size
  );
  if (!isOrdered || growth.length > MAX_GROWTH_PROOFS) {
    throw malformed(
      fields,
      `at most ${MAX_GROWTH_PROOFS} proofs, ascending from sizes of 1 to below the head's,`,
    );
  }
  return { ...head, minWitnesses: fields.integer("min_witnesses"), growth };
}

/** The JSON members of `network`'s cosignature. */
export function peerCosignatureMembers(network: string, cosignature: PeerCosignature) {
  const { treeHead, signatures } = cosignature;
  return { witnessing_network: network, tree_head: treeHead, ...signatures };
}

/** The cosignature of JSON `text`, which says that it is `network`'s; refused with `code`. */
export function parsePeerCosignature(
  text: string,
  network: string,
  code: ErrorCode,
): PeerCosignature {
  const fields = new Fields(
    parseStrictJson(text, code, MAX_REQUEST_VALUES),
    { where: "cosignature", code },
    ["witnessing_network", "tree_head"],
    { optional: SIGNATURE_MEMBERS },
  );
  if (fields.text("witnessing_network") !== network) {
    throw malformed(fields, `the witnessing network ${network}`);
  }
  return { treeHead: readTreeHead(fields), signatures: readSignatureSet(fields) };
}

/** The JSON members of a seen head. */
export function seenTreeHeadMembers(seen: SeenTreeHead) {
  const { network_id } = seen.sth.tree_head;
  return { origin: network_id, seen_at: seen.seenAt, ...loggedHeadMembers(seen) };
}

/** The seen head of JSON `text`; refused with `code`. */
export function parseSeenTreeHead(text: string, code: ErrorCode): SeenTreeHead {
  const fields = new Fields(
    parseStrictJson(text, code, MAX_REQUEST_VALUES),
    { where: "seen head", code },
    ["origin", "seen_at", ...LOGGED_HEAD],
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

/** The contradiction of JSON `text`; refused with `code`. */
export function parseContradiction(text: string, code: ErrorCode): Contradiction {
  return readContradiction(parseStrictJson(text, code, MAX_REQUEST_VALUES), "contradiction", code);
}

/** The contradictions of a JSON list, as a gateway shows them; refused with `code`. */
export function parseContradictions(text: string, code: ErrorCode): Contradiction[] {
  const value = parseStrictJson(text, code, MAX_LIST_VALUES);
  if (!Array.isArray(value)) {
    throw new CountersignError(
      code,
      "Cannot read contradictions: a list required, found another value",
    );
  }
  return value.map((entry, i) => readContradiction(entry, `contradictions[${i}]`, code));
}

function readContradiction(value: JsonValue, where: string, code: ErrorCode): Contradiction {
  const fields = new Fields(value, { where, code }, [
    "origin",
    "found_at",
    "first",
    "second",
    "consistency_path",
  ]);
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
  if (path.length > MAX_PATH_LENGTH) throw malformed(fields, `at most ${MAX_PATH_LENGTH} nodes`);
  return path.map((hash) => Uint8Array.fromHex(hash));
}

/** One origin stands in three places, and is the same in all. */
function requireOrigin(fields: Fields, heads: readonly LoggedTreeHead[]): void {
  const origin = fields.text("origin");
  if (heads.every(({ sth }) => sth.tree_head.network_id === origin)) return;
  throw malformed(fields, "heads of the origin");
}

function malformed({ code, where }: Fields, required: string): CountersignError {
  return new CountersignError(code, `Cannot read ${where}: ${required} required, found otherwise`);
}
