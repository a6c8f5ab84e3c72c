/**
 * The answer of `GET /v1/status` (protocol.md "Requests"). Unknown members are ignored.
 *
 * @module
 */

import { Fields } from "../format/fields.ts";
import { parseStrictJson } from "../format/strict_json.ts";

const CODE = "gateway_refused";

/** A witness as the gateway sees it. Times are Unix seconds, ages are seconds. */
export interface WitnessHealth {
  readonly id: string;
  readonly healthy: boolean;
  readonly last_seen_at?: number;
  readonly last_error?: string;
}

export interface PeerStatus {
  readonly id: string;
  readonly last_cross_anchor?: { readonly tree_size: number; readonly age: number };
  readonly failing: boolean;
}

export interface AnchorStatus {
  readonly provider: string;
  /** The gateway's name for the service, if it has several of this provider. */
  readonly service?: string;
  readonly last?: { readonly tree_size: number; readonly age: number; readonly status: string };
}

/** Only the gateway vouches for it. */
export interface GatewayStatus {
  readonly status: string;
  readonly witnesses: readonly WitnessHealth[];
  readonly pending_count: number;
  readonly oldest_pending_age?: number;
  readonly sth?: { readonly tree_size: number; readonly age: number };
  /** Absent if rounds have no beacon; null while no recent beacon is known. */
  readonly beacon?: { readonly round: number; readonly age: number } | null;
  readonly peers: readonly PeerStatus[];
  readonly anchors: readonly AnchorStatus[];
  readonly contradictions: number;
}

const LENIENT = { ignoreUnknown: true } as const;

/** Parses a status from JSON; `gateway_refused`. */
export function parseGatewayStatus(text: string): GatewayStatus {
  const fields = new Fields(
    parseStrictJson(text, CODE),
    { where: "status", code: CODE },
    ["status", "witnesses", "pending_count"],
    LENIENT,
  );
  return {
    status: fields.text("status"),
    witnesses: itemsOf(fields, "witnesses", ["id", "healthy"]).map(readWitness),
    pending_count: fields.integer("pending_count"),
    ...(fields.has("oldest_pending_age") &&
      { oldest_pending_age: fields.integer("oldest_pending_age") }),
    ...(fields.has("sth") && { sth: sizeAndAge(fields, "sth") }),
    ...(fields.has("beacon") && { beacon: readBeacon(fields) }),
    peers: itemsOf(fields, "peers", ["id", "failing"]).map(readPeer),
    anchors: itemsOf(fields, "anchors", ["provider"]).map(readAnchor),
    contradictions: fields.has("contradictions") ? fields.integer("contradictions") : 0,
  };
}

/** The objects of list `name`; empty if it is absent. */
function itemsOf(fields: Fields, name: string, required: readonly string[]): Fields[] {
  if (!fields.has(name)) return [];
  return fields.list(name).map((value, i) =>
    fields.within(value, `${name}[${i}]`, required, LENIENT)
  );
}

function readWitness(fields: Fields): WitnessHealth {
  return {
    id: fields.text("id"),
    healthy: fields.flag("healthy"),
    ...(fields.has("last_seen_at") && { last_seen_at: fields.integer("last_seen_at") }),
    ...(fields.has("last_error") && { last_error: fields.text("last_error") }),
  };
}

function readBeacon(status: Fields): GatewayStatus["beacon"] & (object | null) {
  if (status.value("beacon") === null) return null;
  const fields = status.object("beacon", ["round", "age"], LENIENT);
  return { round: fields.integer("round"), age: fields.integer("age") };
}

function readPeer(fields: Fields): PeerStatus {
  return {
    id: fields.text("id"),
    ...(fields.has("last_cross_anchor") &&
      { last_cross_anchor: sizeAndAge(fields, "last_cross_anchor") }),
    failing: fields.flag("failing"),
  };
}

function readAnchor(fields: Fields): AnchorStatus {
  const last = fields.has("last")
    ? fields.object("last", ["tree_size", "age", "status"], LENIENT)
    : undefined;
  return {
    provider: fields.text("provider"),
    ...(fields.has("service") && { service: fields.text("service") }),
    ...(last !== undefined && {
      last: {
        tree_size: last.integer("tree_size"),
        age: last.integer("age"),
        status: last.text("status"),
      },
    }),
  };
}

function sizeAndAge(parent: Fields, name: string): { tree_size: number; age: number } {
  const fields = parent.object(name, ["tree_size", "age"], LENIENT);
  return { tree_size: fields.integer("tree_size"), age: fields.integer("age") };
}
