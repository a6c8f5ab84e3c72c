/**
 * Values of `anchors.kv`: a version byte, 1, and strict JSON in UTF-8. Members of the key are not
 * repeated, except the tree size, which must agree. Hashes and signatures are lowercase hex, times are
 * Unix seconds.
 *
 *     cross-anchor    {"tree_head", "signatures" or "signature" and "signers"}
 *     anchor          {"provider", "timestamp", "tree_head", "proof"}
 *     seen head       {"seen_at", "sth", "log_signature"}
 *     contradiction   {"origin", "found_at", "first": {"sth", "log_signature"}, "second": {...},
 *                      "consistency_path"}
 *     listed anchor   {"type", "at", "data"} of its event
 *
 * Decoding rejects anything else with `store_corrupt`, and names the key.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, textOf, utf8 } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import type { Contradiction, LoggedTreeHead, SeenTreeHead } from "../../federation/ports.ts";
import { Fields } from "../../format/fields.ts";
import type { AnchorRecord, AnchorStatus, CrossAnchorRecord } from "../../format/records.ts";
import type { ListedAnchor } from "../../gateway/events/event_ports.ts";
import { readSignatureSet, SIGNATURE_MEMBERS } from "../../format/signature_set.ts";
import { parseStrictJson } from "../../format/strict_json.ts";
import { readSignedTreeHead, readTreeHead, type TreeHead } from "../../format/tree_head.ts";
import { reasonOf } from "../store_fault.ts";

const VERSION = 1;
const CODE = "store_corrupt";
const LOG_SIGNATURE_LENGTH = 64;

export function encodeCrossAnchor({ treeHead, signatures }: CrossAnchorRecord): Bytes {
  return encode({ tree_head: treeHead, ...signatures });
}

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

export function encodeAnchor({ provider, timestamp, treeHead, proof }: AnchorRecord): Bytes {
  return encode({ provider, timestamp, tree_head: treeHead, proof });
}

export function decodeAnchor(
  key: { readonly service: string; readonly status: AnchorStatus; readonly size: number },
  value: Uint8Array,
): AnchorRecord {
  const { service, status, size } = key;
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
    timestamp: fields.integer("timestamp"),
    treeHead: requireSize(readTreeHead(fields), size, fields.where),
    proof: fields.value("proof") ?? null,
  };
}

export function encodeSeenHead({ seenAt, ...head }: SeenTreeHead): Bytes {
  return encode({ seen_at: seenAt, ...loggedMembers(head) });
}

export function decodeSeenHead(origin: string, value: Uint8Array): SeenTreeHead {
  const fields = decode(value, `head of ${origin}`, ["seen_at", "sth", "log_signature"]);
  const head = { seenAt: fields.integer("seen_at"), ...readLogged(fields) };
  requireOrigin(head, origin, fields.where);
  return head;
}

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

/** The contradiction with `number`. */
export function decodeContradiction(number: number, value: Uint8Array): Contradiction {
  const fields = decode(value, `contradiction ${number}`, [
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
    foundAt: fields.integer("found_at"),
    first: head("first"),
    second: head("second"),
    path: fields.hashes("consistency_path").map((hash) => Uint8Array.fromHex(hash)),
  };
}

export function encodeListedAnchor({ type, at, data }: ListedAnchor): Bytes {
  return encode({ type, at, data: JSON.parse(data) });
}

/** The anchor at `index` of the list. */
export function decodeListedAnchor(index: number, value: Uint8Array): ListedAnchor {
  const fields = decode(value, `listed anchor ${index}`, ["type", "at", "data"]);
  const type = fields.text("type");
  const at = fields.integer("at");
  const head = (data: Fields) => ({
    tree_size: data.integer("tree_size"),
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
  throw corrupt(fields.where, `unknown type "${type}"`);
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
  if (value[0] !== VERSION) throw corrupt(what, `unknown version ${value[0]}`);
  try {
    const json = parseStrictJson(textOf(value.subarray(1), CODE), CODE);
    return new Fields(json, { where: what, code: CODE }, required, { optional });
  } catch (cause) {
    throw corrupt(what, reasonOf(cause));
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
  throw corrupt(what, `its head has size ${head.tree_size}`);
}

function requireOrigin({ sth }: LoggedTreeHead, origin: string, what: string): void {
  if (sth.tree_head.network_id !== origin) {
    throw corrupt(what, "its head is of another network");
  }
}

function corrupt(what: string, reason: string): CountersignError {
  return new CountersignError(CODE, `Cannot read ${what} of the anchors' store: ${reason}`);
}
