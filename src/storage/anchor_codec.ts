/**
 * Values of `anchors.kv`: a version byte, 1, and strict JSON in UTF-8. What stands in the key is not
 * repeated, but for the tree size, which has to agree. Hashes and signatures are lowercase hex, times
 * Unix seconds.
 *
 *     cross-anchor    {"tree_head", "signatures" or "signature" and "signers"}
 *     anchor          {"provider", "timestamp", "tree_head", "proof"}
 *     seen head       {"seen_at", "sth", "log_signature"}
 *     contradiction   {"origin", "found_at", "first": {"sth", "log_signature"}, "second": {...},
 *                      "consistency_path"}
 *     listed anchor   {"type", "at", "data"} of the event that tells of it
 *
 * Decoding refuses everything else as `store_corrupt`, with the key.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, textOf, utf8 } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { Contradiction, LoggedTreeHead, SeenTreeHead } from "../federation/ports.ts";
import { Fields } from "../format/fields.ts";
import type { AnchorRecord, AnchorStatus, CrossAnchorRecord } from "../format/records.ts";
import type { ListedAnchor } from "../gateway/event_ports.ts";
import { readSignatureSet, SIGNATURE_MEMBERS } from "../format/signature_set.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { readSignedTreeHead, readTreeHead, type TreeHead } from "../format/tree_head.ts";

const VERSION = 1;
const CODE = "store_corrupt";
const LOG_SIGNATURE_LENGTH = 64;

/** The value of a cross-anchor. */
export function encodeCrossAnchor({ treeHead, signatures }: CrossAnchorRecord): Bytes {
  return encode({ tree_head: treeHead, ...signatures });
}

/** The cross-anchor of its value, which stands under `peer` and `size`. */
export function decodeCrossAnchor(
  peer: string,
  size: number,
  value: Uint8Array,
): CrossAnchorRecord {
  const fields = decode(value, `cross-anchor ${size} by ${peer}`, ["tree_head"], SIGNATURE_MEMBERS);
  return {
    peer,
    treeHead: requireSize(readTreeHead(fields), size, fields.where),
    signatures: readSignatureSet(fields),
  };
}

/** The value of an external anchor. */
export function encodeAnchor({ provider, timestamp, treeHead, proof }: AnchorRecord): Bytes {
  return encode({ provider, timestamp, tree_head: treeHead, proof });
}

/** The external anchor of its value, which stands under `place`. */
export function decodeAnchor(
  place: { readonly service: string; readonly status: AnchorStatus; readonly size: number },
  value: Uint8Array,
): AnchorRecord {
  const { service, status, size } = place;
  const fields = decode(value, `${status} anchor ${size} of ${service}`, [
    "provider",
    "timestamp",
    "tree_head",
    "proof",
  ]);
  return {
    service,
    status,
    provider: fields.text("provider"),
    timestamp: fields.count("timestamp"),
    treeHead: requireSize(readTreeHead(fields), size, fields.where),
    proof: fields.value("proof") ?? null,
  };
}

/** The value of a peer's head. */
export function encodeSeenHead({ seenAt, ...head }: SeenTreeHead): Bytes {
  return encode({ seen_at: seenAt, ...loggedMembers(head) });
}

/** The head of its value, which stands under `origin`. */
export function decodeSeenHead(origin: string, value: Uint8Array): SeenTreeHead {
  const fields = decode(value, `head of ${origin}`, ["seen_at", "sth", "log_signature"]);
  const head = { seenAt: fields.count("seen_at"), ...readLogged(fields) };
  requireOrigin(head, origin, fields.where);
  return head;
}

/** The value of a contradiction. */
export function encodeContradiction(contradiction: Contradiction): Bytes {
  const { origin, foundAt, first, second, path } = contradiction;
  return encode({
    origin,
    found_at: foundAt,
    first: loggedMembers(first),
    second: loggedMembers(second),
    consistency_path: path.map((node) => node.toHex()),
  });
}

/** The contradiction of its value, which stands under `place`. */
export function decodeContradiction(place: number, value: Uint8Array): Contradiction {
  const fields = decode(value, `contradiction ${place}`, [
    "origin",
    "found_at",
    "first",
    "second",
    "consistency_path",
  ]);
  const origin = fields.text("origin");
  const head = (name: string) => {
    const logged = readLogged(fields.object(name, ["sth", "log_signature"]));
    requireOrigin(logged, origin, fields.where);
    return logged;
  };
  return {
    origin,
    foundAt: fields.count("found_at"),
    first: head("first"),
    second: head("second"),
    path: fields.hashes("consistency_path").map((hash) => Uint8Array.fromHex(hash)),
  };
}

/** The value of a line of the list of anchors. */
export function encodeListedAnchor({ type, at, data }: ListedAnchor): Bytes {
  return encode({ type, at, data: JSON.parse(data) });
}

/** The line of its value, which stands under `place`. */
export function decodeListedAnchor(place: number, value: Uint8Array): ListedAnchor {
  const fields = decode(value, `listed anchor ${place}`, ["type", "at", "data"]);
  const type = fields.text("type");
  const at = fields.count("at");
  const head = (data: Fields) => ({
    tree_size: data.count("tree_size"),
    root_hash: data.hex("root_hash", HASH_LENGTH),
  });
  if (type === "cross_anchor.added") {
    const data = fields.object("data", ["witnessing_network", "tree_size", "root_hash"]);
    const witnessing_network = data.text("witnessing_network");
    return { type, at, data: JSON.stringify({ witnessing_network, ...head(data) }) };
  }
  if (type === "external_anchor.added") {
    const data = fields.object("data", ["provider", "status", "tree_size", "root_hash"]);
    const [provider, status] = [data.text("provider"), data.text("status")];
    return { type, at, data: JSON.stringify({ provider, status, ...head(data) }) };
  }
  throw corrupt(fields.where, "a type of anchor", type);
}

function encode(members: Record<string, unknown>): Bytes {
  return concat(Uint8Array.of(VERSION), utf8(JSON.stringify(members)));
}

function decode(
  value: Uint8Array,
  what: string,
  required: readonly string[],
  optional: readonly string[] = [],
): Fields {
  if (value[0] !== VERSION) throw corrupt(what, `version ${VERSION}`, String(value[0]));
  try {
    const json = parseStrictJson(textOf(value.subarray(1), CODE), CODE);
    return new Fields(json, { where: what, code: CODE }, required, { optional });
  } catch (cause) {
    throw corrupt(what, "a whole record", cause instanceof Error ? cause.message : "otherwise");
  }
}

function loggedMembers({ sth, logSignature }: LoggedTreeHead) {
  return { sth, log_signature: logSignature.toHex() };
}

function readLogged(fields: Fields): LoggedTreeHead {
  return {
    sth: readSignedTreeHead(fields, "sth"),
    logSignature: Uint8Array.fromHex(fields.hex("log_signature", LOG_SIGNATURE_LENGTH)),
  };
}

function requireSize(head: TreeHead, size: number, what: string): TreeHead {
  if (head.tree_size === size) return head;
  throw corrupt(what, `a head of size ${size}`, String(head.tree_size));
}

function requireOrigin({ sth }: LoggedTreeHead, origin: string, what: string): void {
  if (sth.tree_head.network_id !== origin) {
    throw corrupt(what, `heads of ${origin}`, "another network's");
  }
}

function corrupt(what: string, required: string, found: string): CountersignError {
  return new CountersignError(
    CODE,
    `Cannot read ${what} of the anchors' store: ${required} required, found ${found}`,
  );
}
