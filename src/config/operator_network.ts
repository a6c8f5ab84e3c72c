/**
 * The operator's `network.json`: the public configuration (protocol.md "Configuration") and the
 * gateway's private settings. {@linkcode NETWORK_MEMBERS} are its members; docs/configuration.md lists them all. All witnesses are
 * embedded, with "key_file" and "state_file", or none is, with "url" and "token". Paths are relative to
 * the file. Unknown members are refused.
 *
 * @module
 */

import type { BatchPolicy } from "../gateway/sequencing/batching.ts";
import { dirname, resolve } from "node:path";
import type { Bls } from "../proof/crypto/bls.ts";
import { Fields } from "../proof/format/fields.ts";
import { type NetworkConfiguration, readNetwork } from "../proof/format/network.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import { parseStrictJson } from "../proof/format/strict_json.ts";
import { ADMISSION, type AdmissionConfiguration, OPEN_ADMISSION } from "./admission.ts";
import { API_KEYS, type ApiKeySettings } from "./api_keys.ts";
import { type AnchorServiceEntry, readAnchorServices } from "./anchor_services.ts";
import { BEACON_RELAYS, type BeaconRelays } from "./beacon_relays.ts";
import { CLIENT_LIMITS, type ClientLimits, type NO_LIMITS } from "./gateway_limits.ts";
import { type FederationPeers, readFederationPeers } from "./federation_peers.ts";
import {
  type EventSockets,
  type OperatorListener,
  readEventSockets,
  readOperatorListener,
} from "./listeners.ts";
import { readToken } from "./bearer_tokens.ts";
import { type PublishingPlace, readPublishing } from "./publishing.ts";
import { type PostgresDatabase, readStoreDatabase } from "./store_database.ts";
import { namesOf } from "./members.ts";
import { orOff } from "./settings.ts";
import {
  BATCH_AGE_LIMIT_MS,
  BATCH_LEAVES_LIMIT,
  DEFAULT_BATCH_LIMITS,
  DEFAULT_MERGE_DELAY_SECONDS,
  NETWORK_MEMBERS,
  WITNESS_ENTRY_MEMBERS,
} from "./network_members.ts";
import { checkSignatureLines, readWitnessing, type WitnessingSettings } from "./witnessing.ts";
import { deepFreeze, invalid, namingFile } from "./validation.ts";

/** A witness that is called over HTTP. */
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
  /** File of its ML-DSA-44 key; absent if it has none. */
  readonly mlDsaKeyFile?: string;
}

/** A gateway's whole configuration, checked and frozen. */
export interface OperatorNetwork {
  /** The public part, witnesses ascending by id. */
  readonly network: NetworkConfiguration & { readonly log_vkey: string };
  /** Absolute path. */
  readonly logKeyFile: string;
  /** File of the log's ML-DSA-44 key, absolute; absent if it has none. */
  readonly logMlDsaKeyFile?: string;
  /** In the order of `network.witnesses`. */
  readonly witnesses: readonly (RemoteWitness | EmbeddedWitnessFiles)[];
  readonly batch: BatchPolicy;
  /** The listener for operators and peers, if any. */
  readonly operator?: OperatorListener;
  /** The listener for event WebSockets, if configured. */
  readonly eventSockets?: EventSockets;
  /** The private settings of the peers. */
  readonly federation: FederationPeers;
  readonly anchors: readonly AnchorServiceEntry[];
  /** Absent if rounds have no beacon. */
  readonly beacon?: BeaconRelays;
  readonly admission: AdmissionConfiguration;
  /** Absent if clients need no API key. */
  readonly apiKeys?: ApiKeySettings;
  /** The database of the store; absent if the store is in the data folder. */
  readonly store?: PostgresDatabase;
  /** Absent if not configured. */
  readonly limits?: ClientLimits | typeof NO_LIMITS;
  /** Absent if the gateway publishes no copy of its log. */
  readonly publishing?: PublishingPlace;
  /** Absent without foreign witnesses and ML-DSA-44 keys. */
  readonly witnessing?: WitnessingSettings;
}

const CODE = "malformed_configuration";
const WHAT = "the operator's configuration";

/**
 * The configuration of JSON `text`, read from the file at absolute path `file`. `insecure`
 * allows `http:` URLs beyond loopback. `malformed_configuration`, `invalid_configuration`,
 * `invalid_key`.
 */
export function parseOperatorNetwork(
  text: string,
  file: string,
  options: { readonly insecure?: boolean; readonly bls?: Bls } = {},
): OperatorNetwork {
  return namingFile(file, () => readOperatorNetwork(text, file, options));
}

function readOperatorNetwork(
  text: string,
  file: string,
  options: { readonly insecure?: boolean; readonly bls?: Bls },
): OperatorNetwork {
  const value = parseStrictJson(text, CODE, Infinity, `JSON of ${file}`);
  const fields = new Fields(value, { where: file, code: CODE }, ...namesOf(NETWORK_MEMBERS));
  const pathOf = (path: string) => resolve(dirname(file), path);
  const insecure = options.insecure ?? false;
  const witnesses = fields.list("witnesses").map((entry, i) =>
    readWitness(fields.within(entry, `witnesses[${i}]`, ...namesOf(WITNESS_ENTRY_MEMBERS)), {
      pathOf,
      insecure,
    })
  );
  const federation = readFederationPeers(fields, { pathOf, insecure });
  const network = readNetwork(value, options.bls);
  checkPolicy(network, insecure);
  checkEndpoints(witnesses);
  checkMlDsaFiles(fields, network, witnesses);
  const operator = readOperatorListener(fields, pathOf);
  const eventSockets = readEventSockets(fields);
  const context = { folder: dirname(file), insecure };
  const beacon = fields.read("beacon", BEACON_RELAYS, context);
  const limits = fields.read("limits", orOff(CLIENT_LIMITS));
  const admission = fields.read("admission", ADMISSION, context) ?? OPEN_ADMISSION;
  const apiKeys = fields.read("api_keys", API_KEYS, context);
  if (apiKeys !== undefined && admission.mode !== "open") {
    throw invalid(
      WHAT,
      `api_keys and admission mode ${admission.mode} exclude each other: a key already decides who may submit`,
    );
  }
  const store = readStoreDatabase(fields, { pathOf, insecure });
  const publishing = readPublishing(fields, { pathOf, insecure });
  const witnessing = readWitnessing(fields, network, { insecure });
  checkSignatureLines(network, witnessing);
  return deepFreeze({
    network: {
      ...network,
      log_vkey: fields.text("log_vkey"),
      merge_delay_seconds: network.merge_delay_seconds ?? DEFAULT_MERGE_DELAY_SECONDS,
      witnesses: network.witnesses.toSorted(byId),
    },
    logKeyFile: pathOf(fields.text("log_key_file")),
    ...(fields.has("log_ml_dsa_key_file") && {
      logMlDsaKeyFile: pathOf(fields.text("log_ml_dsa_key_file")),
    }),
    witnesses: witnesses.toSorted(byId),
    batch: readBatchLimits(fields),
    federation,
    anchors: readAnchorServices(fields),
    admission,
    ...(apiKeys !== undefined && { apiKeys }),
    ...(operator !== undefined && { operator }),
    ...(eventSockets !== undefined && { eventSockets }),
    ...(beacon !== undefined && { beacon }),
    ...(limits !== undefined && { limits }),
    ...(store !== undefined && { store }),
    ...(publishing !== undefined && { publishing }),
    ...(witnessing !== undefined && { witnessing }),
  });
}

/**
 * Requires that any two quorums of `count` witnesses share one; `invalid_configuration`.
 */
export function checkQuorum(threshold: number, count: number): void {
  if (!(threshold >= 1 && threshold <= count && 2 * threshold > count)) {
    throw invalid(
      WHAT,
      `threshold ${threshold} must be more than half of ${count} witnesses, ` +
        "so that any two quorums share a witness",
    );
  }
}

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
      if (fields.has("ml_dsa_key_file")) {
        throw invalid(
          `witness ${JSON.stringify(id)}`,
          "ml_dsa_key_file is of an embedded witness: set it in the witness.json of another",
        );
      }
      return { kind: "remote", id, url, token: readToken(fields) };
    }
    case "key_file,state_file":
      return {
        kind: "embedded",
        id,
        keyFile: context.pathOf(fields.text("key_file")),
        stateFile: context.pathOf(fields.text("state_file")),
        ...(fields.has("ml_dsa_key_file") && {
          mlDsaKeyFile: context.pathOf(fields.text("ml_dsa_key_file")),
        }),
      };
    default:
      throw invalid(
        `witness ${JSON.stringify(id)}`,
        "it needs url and token (a witness elsewhere), or key_file and state_file (one in this process)",
      );
  }
}

/** The rules for gateways beyond those that verifiers apply to a configuration. */
function checkPolicy(network: NetworkConfiguration, insecure: boolean): void {
  checkQuorum(network.threshold, network.witnesses.length);
  if (network.merge_delay_seconds === 0) {
    throw invalid(WHAT, "merge_delay_seconds must be 1 or more");
  }
  const { enabled, peer_networks: peers, cross_anchor_threshold: required } = network.federation;
  const urls = [
    ...peers.map(({ gateway_url }) => gateway_url),
    ...network.witnesses.map(({ public_url }) => public_url),
  ];
  for (const url of urls) if (url !== undefined) parseServiceUrl(url, { insecure });
  if (enabled && required > peers.length) {
    throw invalid(
      WHAT,
      `cross_anchor_threshold ${required} exceeds the number of peers, ${peers.length}`,
    );
  }
}

function checkEndpoints(witnesses: OperatorNetwork["witnesses"]): void {
  if (new Set(witnesses.map((witness) => witness.kind)).size > 1) {
    throw invalid(
      WHAT,
      "either all witnesses have url and token, or all have key_file and state_file",
    );
  }
  const endpoints = witnesses.flatMap((witness) =>
    witness.kind === "remote"
      ? [parseServiceUrl(witness.url, { insecure: true }).href]
      : [witness.keyFile, witness.stateFile]
  );
  if (new Set(endpoints).size !== endpoints.length) {
    throw invalid(WHAT, "two witnesses have the same URL or the same file; each needs its own");
  }
}

/** Who signs in this process has a key file for each configured ML-DSA-44 key, and no other. */
function checkMlDsaFiles(
  fields: Fields,
  network: NetworkConfiguration,
  witnesses: OperatorNetwork["witnesses"],
): void {
  if ((network.log_ml_dsa_vkey !== undefined) !== fields.has("log_ml_dsa_key_file")) {
    throw invalid(WHAT, "give both log_ml_dsa_vkey and log_ml_dsa_key_file, or neither");
  }
  for (const [i, witness] of witnesses.entries()) {
    const { id, ml_dsa_vkey: vkey } = network.witnesses[i]!;
    if (witness.kind === "remote") continue;
    if ((vkey !== undefined) !== (witness.mlDsaKeyFile !== undefined)) {
      throw invalid(`witness ${id}`, "give both ml_dsa_vkey and ml_dsa_key_file, or neither");
    }
  }
}

function readBatchLimits(fields: Fields): BatchPolicy {
  const limit = (name: string, standard: number, most: number) => {
    const value = fields.has(name) ? fields.integer(name) : standard;
    if (value < 1 || value > most) throw invalid(WHAT, `${name} ${value} is not from 1 to ${most}`);
    return value;
  };
  return {
    maxAgeMs: limit("batch_max_age_ms", DEFAULT_BATCH_LIMITS.maxAgeMs, BATCH_AGE_LIMIT_MS),
    maxLeaves: limit("batch_max_leaves", DEFAULT_BATCH_LIMITS.maxLeaves, BATCH_LEAVES_LIMIT),
  };
}

/** The order of signatures in a set: ascending by code unit; ids are ASCII. */
function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
