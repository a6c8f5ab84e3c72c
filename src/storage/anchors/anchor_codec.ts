/**
 * Values of `anchors.kv`: a version byte, 1, and strict JSON in UTF-8. Members of the key are not
 * repeated, except the tree size, which must agree. Hashes and signatures are lowercase hex, times are
 * Unix seconds.
 *
 *     cross-anchor    {"tree_head", "signatures" or "signature" and "signers"}
 *     anchor          {"provider", "timestamp", "tree_head", "proof"}
 *     witnessed       {"root_hash", "lines": [{"vkey", "line"}]}
 *     link of a peer  the link, as in its `GET /v1/succession`
 *     seen head       {"seen_at", "sth", "log_signature"}
 *     contradiction   {"origin", "found_at", "first": {"sth", "log_signature"}, "second": {...},
 *                      "consistency_path"}, or of two successions of a peer
 *                     {"origin", "found_at", "first": link, "second": link}
 *     listed anchor   {"type", "at", "data"} of its event
 *
 * Decoding rejects anything else with `store_corrupt`, and names the key.
 *
 * @module
 */

import { type Bytes, concat, textOf, utf8 } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import {
  ANY_CONTRADICTION,
  type AnyContradiction,
  anyContradictionMembers,
  LOGGED_HEAD_MEMBERS,
  loggedHeadMembers,
  loggedHeadOf,
  type SeenTreeHead,
} from "../../proof/format/federation.ts";
import type {
  AnchorProgress,
  AnchorRecord,
  CrossAnchorRecord,
  WitnessedCheckpoint,
} from "../../proof/format/records.ts";
import type { ListedAnchor } from "../../gateway/events/event_ports.ts";
import {
  ANY_JSON,
  COUNT,
  HASH,
  list,
  object,
  oneOf,
  type Schema,
  TEXT,
  union,
} from "../../proof/format/schema.ts";
import { signed } from "../../proof/format/signature_set.ts";
import { SUCCESSION_LINK, type SuccessionLink } from "../../proof/format/succession.ts";
import { TREE_HEAD, type TreeHead } from "../../proof/format/tree_head.ts";
import { reasonOf } from "../store_fault.ts";

const VERSION = 1;
const CODE = "store_corrupt";

const CROSS_ANCHOR = signed("StoredCrossAnchor", { tree_head: TREE_HEAD }, {});
const ANCHOR = object({ provider: TEXT, timestamp: COUNT, tree_head: TREE_HEAD, proof: ANY_JSON });
const WITNESSED = object({
  root_hash: HASH,
  lines: list(object({ vkey: TEXT, line: TEXT })),
});
const SEEN_HEAD = object({ seen_at: COUNT, ...LOGGED_HEAD_MEMBERS });
const LISTED_HEAD = { tree_size: COUNT, root_hash: HASH };
const LISTED_ANCHOR = union(
  object({
    type: oneOf(["cross_anchor.added"]),
    at: COUNT,
    data: object({ witnessing_network: TEXT, ...LISTED_HEAD }),
  }),
  object({
    type: oneOf(["external_anchor.added"]),
    at: COUNT,
    data: object({ provider: TEXT, status: TEXT, ...LISTED_HEAD }),
  }),
);

export function encodeCrossAnchor({ treeHead, signatures }: CrossAnchorRecord): Bytes {
  return encode({ tree_head: treeHead, ...signatures });
}

export function decodeCrossAnchor(
  peer: string,
  size: number,
  value: Uint8Array,
): CrossAnchorRecord {
  const what = `cross-anchor ${size} by ${peer}`;
  const { tree_head: head, ...signatures } = decode(value, what, CROSS_ANCHOR);
  return { peer, treeHead: requireSize(head, size, what), signatures };
}

export function encodeAnchor({ provider, timestamp, treeHead, proof }: AnchorRecord): Bytes {
  return encode({ provider, timestamp, tree_head: treeHead, proof });
}

export function decodeAnchor(
  key: { readonly service: string; readonly status: AnchorProgress; readonly size: number },
  value: Uint8Array,
): AnchorRecord {
  const { service, status, size } = key;
  const what = `${status} anchor ${size} of ${service}`;
  const { tree_head: head, ...anchor } = decode(value, what, ANCHOR);
  return { service, status, ...anchor, treeHead: requireSize(head, size, what) };
}

export function encodeWitnessed({ rootHash, lines }: WitnessedCheckpoint): Bytes {
  return encode({ root_hash: rootHash, lines });
}

export function decodeWitnessed(
  key: Pick<WitnessedCheckpoint, "size" | "meetsQuorum">,
  value: Uint8Array,
): WitnessedCheckpoint {
  const { root_hash: rootHash, lines } = decode(
    value,
    `cosignatures of size ${key.size}`,
    WITNESSED,
  );
  return { ...key, rootHash, lines };
}

export function encodeSeenHead({ seenAt, ...head }: SeenTreeHead): Bytes {
  return encode({ seen_at: seenAt, ...loggedHeadMembers(head) });
}

export function decodeSeenHead(origin: string, value: Uint8Array): SeenTreeHead {
  const what = `head of ${origin}`;
  const { seen_at: seenAt, ...head } = decode(value, what, SEEN_HEAD);
  if (head.sth.tree_head.network_id !== origin) {
    throw corrupt(what, "its head is of another network");
  }
  return { seenAt, ...loggedHeadOf(head) };
}

export function encodePeerLink(link: SuccessionLink): Bytes {
  return encode(link);
}

export function decodePeerLink(peer: string, epoch: number, value: Uint8Array): SuccessionLink {
  const what = `link ${epoch} of ${peer}`;
  const link = decode(value, what, SUCCESSION_LINK);
  if (link.predecessor.epoch === epoch) return link;
  throw corrupt(what, `it ends epoch ${link.predecessor.epoch}`);
}

export function encodeContradiction(contradiction: AnyContradiction): Bytes {
  return encode(anyContradictionMembers(contradiction));
}

/** The contradiction with `number`. */
export function decodeContradiction(number: number, value: Uint8Array): AnyContradiction {
  return decode(value, `contradiction ${number}`, ANY_CONTRADICTION);
}

export function encodeListedAnchor({ type, at, data }: ListedAnchor): Bytes {
  return encode({ type, at, data: JSON.parse(data) });
}

export function decodeListedAnchor(index: number, value: Uint8Array): ListedAnchor {
  const { type, at, data } = decode(value, `listed anchor ${index}`, LISTED_ANCHOR);
  return { type, at, data: JSON.stringify(data) };
}

function encode(members: object): Bytes {
  return concat(Uint8Array.of(VERSION), utf8(JSON.stringify(members)));
}

function decode<T>(value: Uint8Array, what: string, schema: Schema<T>): T {
  if (value[0] !== VERSION) throw corrupt(what, `unknown version ${value[0]}`);
  try {
    return schema.parseText(textOf(value.subarray(1), CODE), { where: "value", code: CODE });
  } catch (cause) {
    throw corrupt(what, reasonOf(cause));
  }
}

function requireSize(head: TreeHead, size: number, what: string): TreeHead {
  if (head.tree_size === size) return head;
  throw corrupt(what, `its head has size ${head.tree_size}`);
}

function corrupt(what: string, reason: string): CountersignError {
  return new CountersignError(CODE, `Cannot read ${what} of the anchors' store: ${reason}`);
}
