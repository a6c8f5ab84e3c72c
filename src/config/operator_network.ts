/**
 * The operator's `network.json`: the public configuration (protocol.md "Configuration",
 * "Resources") and, beside it, what
 * only the gateway may know.
 *
 *     {"id", "witnesses": [{"id", "pubkey", "vkey"? or "proof_of_possession", "url", "token"} ...],
 *      "threshold", "signature_scheme", "federation"?, "log_vkey", "merge_delay_seconds"?,
 *      "log_key_file", "batch_max_age_ms"?, "batch_max_leaves"?, "operator"?,
 *      "event_sockets"?, "anchors"?, "beacon"?, "limits"?, "admission"?}
 *
 * The members `operator`, `event_sockets`, `federation`, `anchors`, `beacon`, `limits` and
 * `admission` are described where they are read. A witness of the gateway's own process has "key_file" and "state_file" in
 * place of "url" and "token"; all are of one kind. Paths are relative to the file. Unknown members
 * are refused.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import type { Bls } from "../crypto/bls.ts";
import { CountersignError } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import { type NetworkConfiguration, readNetwork } from "../format/network.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { type AdmissionConfiguration, readAdmission } from "./admission.ts";
import { type AnchorEntry, readAnchorServices } from "./anchor_services.ts";
import { type BeaconRelays, readBeaconRelays } from "./beacon_relays.ts";
import { deepFreeze } from "./deep_freeze.ts";
import { type ClientLimits, type NO_LIMITS, readClientLimits } from "./limits.ts";
import { type FederationPeers, readFederationPeers } from "./federation_peers.ts";
import { type ListenerAddress, readEventSockets } from "./listener_address.ts";
import { type OperatorListener, readOperatorListener } from "./operator_listener.ts";
import { readToken } from "./token.ts";

/** A witness that is asked over HTTP. */
export interface RemoteWitness {
  readonly kind: "remote";
  readonly id: string;
  readonly url: string;
  /** Bearer token of its signing routes. Secret. */
  readonly token: string;
}

/** A witness inside the gateway's process. */
export interface EmbeddedWitnessFiles {
  readonly kind: "embedded";
  readonly id: string;
  /** Absolute paths. */
  readonly keyFile: string;
  readonly stateFile: string;
}

/** When the log grows by a batch: at whichever comes first. */
export interface BatchLimits {
  readonly maxAgeMs: number;
  readonly maxLeaves: number;
}

/** A gateway's whole configuration, checked and frozen. */
export interface OperatorNetwork {
  /** The public part, witnesses ascending by id. */
  readonly network: NetworkConfiguration & { readonly log_vkey: string };
  /** Absolute path. */
  readonly logKeyFile: string;
  /** In the order of `network.witnesses`. */
  readonly witnesses: readonly (RemoteWitness | EmbeddedWitnessFiles)[];
  readonly batch: BatchLimits;
  /** Where operators and peers reach the gateway; absent where they do not. */
  readonly operator?: OperatorListener;
  /** Where WebSockets for events are accepted; absent where the file does not say. */
  readonly eventSockets?: ListenerAddress;
  /** What the public policy does not say of the peers. */
  readonly federation: FederationPeers;
  readonly anchors: readonly AnchorEntry[];
  /** Absent where rounds have no beacon. */
  readonly beacon?: BeaconRelays;
  readonly admission: AdmissionConfiguration;
  /** What each client may ask; absent where the file does not say. */
  readonly limits?: ClientLimits | typeof NO_LIMITS;
}

/** What a file that says nothing about batches means. */
export const DEFAULT_BATCH_LIMITS: BatchLimits = { maxAgeMs: 1_000, maxLeaves: 16_384 };

/** Promised seconds from acceptance to a place in a published tree, where a file says nothing. */
export const DEFAULT_MERGE_DELAY_SECONDS = 3_600;

/** More leaves do not fit one commit of the tree; an older batch would break most merge delays. */
const BATCH_LEAVES_LIMIT = 16_384;
const BATCH_AGE_LIMIT_MS = 3_600_000;

const CODE = "malformed_configuration";
const PUBLIC_MEMBERS = ["id", "witnesses", "threshold", "signature_scheme", "log_vkey"] as const;
const OPTIONS = [
  ...["federation", "merge_delay_seconds", "batch_max_age_ms", "batch_max_leaves"],
  ...["operator", "event_sockets", "anchors", "beacon", "admission", "limits"],
];

/**
 * The configuration of JSON `text` that stands in the file of absolute path `file`. `insecure`
 * allows `http:` URLs beyond loopback. `malformed_configuration`, `invalid_configuration`,
 * `invalid_key`.
 */
export function parseOperatorNetwork(
  text: string,
  file: string,
  options: { readonly insecure?: boolean; readonly bls?: Bls } = {},
): OperatorNetwork {
  const value = parseStrictJson(text, CODE);
  const fields = new Fields(
    value,
    { where: file, code: CODE },
    [...PUBLIC_MEMBERS, "log_key_file"],
    { optional: OPTIONS },
  );
  const pathOf = (path: string) => resolve(dirname(file), path);
  const insecure = options.insecure ?? false;
  const witnesses = fields.list("witnesses").map((entry, i) =>
    readWitness(fields.within(entry, `witnesses[${i}]`, ["id", "pubkey"], WITNESS_RULES), {
      pathOf,
      insecure,
    })
  );
  const federation = readFederationPeers(fields, { pathOf, insecure });
  const network = readNetwork(value, options.bls);
  checkPolicy(network, insecure);
  checkEndpoints(witnesses);
  const operator = readOperatorListener(fields, pathOf);
  const eventSockets = readEventSockets(fields);
  const beacon = readBeaconRelays(fields, { insecure });
  const limits = readClientLimits(fields);
  return deepFreeze({
    network: {
      ...network,
      log_vkey: fields.text("log_vkey"),
      merge_delay_seconds: network.merge_delay_seconds ?? DEFAULT_MERGE_DELAY_SECONDS,
      witnesses: network.witnesses.toSorted(byId),
    },
    logKeyFile: pathOf(fields.text("log_key_file")),
    witnesses: witnesses.toSorted(byId),
    batch: readBatchLimits(fields),
    federation,
    anchors: readAnchorServices(fields),
    admission: readAdmission(fields, { insecure }),
    ...(operator !== undefined && { operator }),
    ...(eventSockets !== undefined && { eventSockets }),
    ...(beacon !== undefined && { beacon }),
    ...(limits !== undefined && { limits }),
  });
}

/**
 * `invalid_configuration` where two disjoint quorums of `count` witnesses exist (protocol.md
 * "Signature schemes").
 */
export function checkQuorum(threshold: number, count: number): void {
  if (!(threshold >= 1 && threshold <= count && 2 * threshold > count)) {
    throw invalid(
      `a threshold above half of ${count} witnesses, so that two quorums share one,`,
      String(threshold),
    );
  }
}

const WITNESS_RULES = {
  optional: ["vkey", "proof_of_possession", "url", "token", "key_file", "state_file"],
} as const;

function readWitness(
  fields: Fields,
  context: { readonly pathOf: (path: string) => string; readonly insecure: boolean },
): RemoteWitness | EmbeddedWitnessFiles {
  const id = fields.text("id");
  const present = ["url", "token", "key_file", "state_file"].filter((name) => fields.has(name));
  switch (present.join()) {
    case "url,token": {
      const url = fields.text("url");
      parseServiceUrl(url, context);
      return { kind: "remote", id, url, token: readToken(fields) };
    }
    case "key_file,state_file":
      return {
        kind: "embedded",
        id,
        keyFile: context.pathOf(fields.text("key_file")),
        stateFile: context.pathOf(fields.text("state_file")),
      };
    default:
      throw invalid(
        `either url and token or key_file and state_file of witness ${JSON.stringify(id)}`,
        present.length === 0 ? "neither" : present.join(" and "),
      );
  }
}

/** What a verifier may load and an operator may not run. */
function checkPolicy(network: NetworkConfiguration, insecure: boolean): void {
  checkQuorum(network.threshold, network.witnesses.length);
  if (network.merge_delay_seconds === 0) throw invalid("a merge delay from 1 second", "0");
  const { enabled, peer_networks: peers, cross_anchor_threshold: required } = network.federation;
  for (const { gateway_url: url } of peers) {
    if (url !== undefined) parseServiceUrl(url, { insecure });
  }
  if (enabled && required > peers.length) {
    throw invalid(`a cross_anchor_threshold up to ${peers.length}, the peers,`, String(required));
  }
}

function checkEndpoints(witnesses: OperatorNetwork["witnesses"]): void {
  if (new Set(witnesses.map((witness) => witness.kind)).size > 1) {
    throw invalid("witnesses that are all remote or all embedded", "both kinds");
  }
  const places = witnesses.flatMap((witness) =>
    witness.kind === "remote"
      ? [parseServiceUrl(witness.url, { insecure: true }).href]
      : [witness.keyFile, witness.stateFile]
  );
  if (new Set(places).size !== places.length) {
    throw invalid("a URL, or files, for each witness alone", "one twice");
  }
}

function readBatchLimits(fields: Fields): BatchLimits {
  const limit = (name: string, standard: number, most: number) => {
    const value = fields.has(name) ? fields.count(name) : standard;
    if (value < 1 || value > most) throw invalid(`${name} from 1 to ${most}`, String(value));
    return value;
  };
  return {
    maxAgeMs: limit("batch_max_age_ms", DEFAULT_BATCH_LIMITS.maxAgeMs, BATCH_AGE_LIMIT_MS),
    maxLeaves: limit("batch_max_leaves", DEFAULT_BATCH_LIMITS.maxLeaves, BATCH_LEAVES_LIMIT),
  };
}

/** The order of signatures in a set: ascending by code unit, as names are ASCII. */
function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use operator's configuration: ${required} required, found ${found}`,
  );
}
