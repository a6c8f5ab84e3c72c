/**
 * The member `federation` of `network.json`: the public policy (protocol.md "Configuration") and the
 * private settings of each peer.
 *
 *     "federation": {"enabled", "cross_anchor_threshold", "interval_seconds"?,
 *       "peer_networks": [{"id", "gateway_url"?, "min_witnesses"?, "config_file"?,
 *         "federation_url"?, "token_file"? or "token_env"?,
 *         "accept_token_file"? or "accept_token_env"?,
 *         "accept_previous_token_file"? or "accept_previous_token_env"?,
 *         "accept_previous_until"?}]}
 *
 * Parsing reads no file; {@linkcode loadFederation} reads the named files and variables.
 *
 * @module
 */

import type { Bls } from "../crypto/bls.ts";
import type { Fields } from "../format/fields.ts";
import { type NetworkConfiguration, parseNetwork, publicKeysOf } from "../format/network.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import {
  loadToken,
  readSecretSource,
  secretMembers,
  type SecretReading,
  type SecretSource,
} from "./bearer_tokens.ts";
import { readTextFile } from "./text_file.ts";
import { invalid } from "./validation.ts";

/** The token that a peer sends us, and the previous one while it is valid. */
interface Accepted<Token> {
  readonly token: Token;
  readonly previous?: {
    readonly token: Token;
    /** Unix seconds. */
    readonly until: number;
  };
}

/** One peer, as configured. */
export interface FederationPeer {
  readonly id: string;
  readonly minWitnesses?: number;
  /** Absolute path of its pinned configuration. */
  readonly configFile?: string;
  /** Its operator listener, and the token that we send. */
  readonly outbound?: { readonly url: string; readonly token: SecretSource };
  readonly accept?: Accepted<SecretSource>;
}

/** The private settings of federation. */
export interface FederationPeers {
  /** Seconds between two heads that are sent to a peer; 0 for every published head. */
  readonly intervalSeconds: number;
  /** In the order of the public `peer_networks`. */
  readonly peers: readonly FederationPeer[];
}

/** A configuration with the log's key. */
export type PinnedNetwork = NetworkConfiguration & { readonly log_vkey: string };

/** One peer with its configuration and tokens. Secret. */
export interface LoadedPeer {
  readonly network: PinnedNetwork;
  /** From the peer's threshold to the number of its witnesses. */
  readonly minWitnesses: number;
  readonly outbound?: { readonly url: string; readonly token: string };
  readonly accept?: Accepted<string>;
}

const POLICY = ["enabled", "peer_networks", "cross_anchor_threshold"] as const;
const ACCEPT = "accept_token";
const PREVIOUS = "accept_previous_token";
const UNTIL = "accept_previous_until";
const PEER_OPTIONS = [
  "gateway_url",
  "min_witnesses",
  "config_file",
  "federation_url",
  ...secretMembers("token"),
  ...secretMembers(ACCEPT),
  ...secretMembers(PREVIOUS),
  UNTIL,
];

/** At least one head a day is sent to each peer. */
const MAX_INTERVAL_SECONDS = 86_400;

/** The member `federation`. `malformed_configuration`, `invalid_configuration`. */
export function readFederationPeers(
  network: Fields,
  context: { readonly pathOf: (path: string) => string; readonly insecure: boolean },
): FederationPeers {
  if (!network.has("federation")) return { intervalSeconds: 0, peers: [] };
  const policy = network.object("federation", POLICY, { optional: ["interval_seconds"] });
  const intervalSeconds = policy.has("interval_seconds") ? policy.integer("interval_seconds") : 0;
  if (intervalSeconds > MAX_INTERVAL_SECONDS) {
    throw invalid(
      policy.where,
      `interval_seconds ${intervalSeconds} exceeds ${MAX_INTERVAL_SECONDS}`,
    );
  }
  const peers = policy.list("peer_networks").map((value, i) => {
    const rules = { optional: PEER_OPTIONS };
    return readPeer(policy.within(value, `peer_networks[${i}]`, ["id"], rules), context);
  });
  return { intervalSeconds, peers };
}

function readPeer(
  fields: Fields,
  { pathOf, insecure }: {
    readonly pathOf: (path: string) => string;
    readonly insecure: boolean;
  },
): FederationPeer {
  const token = readSecretSource(fields, "token", pathOf);
  const accept = readAccepted(fields, pathOf);
  const url = fields.has("federation_url") ? fields.text("federation_url") : undefined;
  if ((url === undefined) !== (token === undefined)) {
    throw invalid(fields.where, "federation_url and a token need each other");
  }
  const configFile = fields.has("config_file") ? pathOf(fields.text("config_file")) : undefined;
  if (configFile === undefined && (url !== undefined || accept !== undefined)) {
    throw invalid(fields.where, "config_file, the peer's pinned configuration, is missing");
  }
  if (url !== undefined) parseServiceUrl(url, { insecure });
  return {
    id: fields.text("id"),
    ...(fields.has("min_witnesses") && { minWitnesses: fields.integer("min_witnesses") }),
    ...(configFile !== undefined && { configFile }),
    ...(url !== undefined && token !== undefined && { outbound: { url, token } }),
    ...(accept !== undefined && { accept }),
  };
}

function readAccepted(
  fields: Fields,
  pathOf: (path: string) => string,
): Accepted<SecretSource> | undefined {
  const token = readSecretSource(fields, ACCEPT, pathOf);
  const previous = readSecretSource(fields, PREVIOUS, pathOf);
  if ((previous === undefined) === fields.has(UNTIL)) {
    throw invalid(fields.where, `a previous token and ${UNTIL} need each other`);
  }
  if (token === undefined) {
    if (previous === undefined) return undefined;
    throw invalid(fields.where, "a previous token needs a current one");
  }
  return previous === undefined
    ? { token }
    : { token, previous: { token: previous, until: fields.integer(UNTIL) } };
}

/**
 * The peers of `own` with pinned configurations, and their tokens, in order. Peers must not share
 * keys with us or one another, since verifiers would not count them (protocol.md "Federation"). Each
 * accepted token belongs to one peer: it identifies the sender of a head. `invalid_configuration`,
 * `invalid_key`, `malformed_configuration`, `configuration_missing`, `file_failed`.
 */
export async function loadFederation(
  own: NetworkConfiguration,
  { peers }: FederationPeers,
  reading: SecretReading & { readonly bls?: Bls },
): Promise<LoadedPeer[]> {
  const loaded: LoadedPeer[] = [];
  const keys = publicKeysOf(own);
  const tokens = new Set<string>();
  for (const peer of peers) {
    if (peer.configFile === undefined) continue;
    const network = await loadPinned(peer.id, peer.configFile, reading.bls);
    const found = publicKeysOf(network);
    if (!found.isDisjointFrom(keys)) {
      throw invalid(`peer ${peer.id}`, "it shares a key with another network");
    }
    for (const key of found) keys.add(key);
    const minWitnesses = checkMinWitnesses(network, peer.minWitnesses ?? network.threshold);
    const accept = await loadAccepted(peer, reading);
    for (const token of acceptedTokens(accept)) {
      if (tokens.has(token)) {
        throw invalid(`peer ${peer.id}`, "one of its tokens is already accepted from another peer");
      }
      tokens.add(token);
    }
    const { outbound } = peer;
    loaded.push({
      network,
      minWitnesses,
      ...(outbound !== undefined &&
        { outbound: { url: outbound.url, token: await loadToken(outbound.token, reading) } }),
      ...(accept !== undefined && { accept }),
    });
  }
  return loaded;
}

/** The pinned configurations of `peers`. Reads no tokens. Errors as {@linkcode loadFederation}. */
export async function loadPeerNetworks(
  { peers }: FederationPeers,
  bls?: Bls,
): Promise<PinnedNetwork[]> {
  const networks: PinnedNetwork[] = [];
  for (const { id, configFile } of peers) {
    if (configFile !== undefined) networks.push(await loadPinned(id, configFile, bls));
  }
  return networks;
}

async function loadPinned(
  id: string,
  file: string,
  bls: Bls | undefined,
): Promise<PinnedNetwork> {
  const network = parseNetwork(await readTextFile(file), bls);
  if (network.id !== id) {
    throw invalid(`"${file}"`, `it is the configuration of ${network.id}, not of ${id}`);
  }
  const { log_vkey } = network;
  if (log_vkey === undefined) throw invalid(`"${file}"`, "log_vkey is missing");
  return { ...network, log_vkey };
}

/** Returns `count` if it can be the `min_witnesses` of `peer`; `invalid_configuration`. */
export function checkMinWitnesses(peer: NetworkConfiguration, count: number): number {
  const { id, threshold, witnesses } = peer;
  if (count >= threshold && count <= witnesses.length) return count;
  throw invalid(
    `peer ${id}`,
    `min_witnesses ${count} is not from ${threshold}, its threshold, to ${witnesses.length}`,
  );
}

async function loadAccepted(
  { accept }: FederationPeer,
  reading: SecretReading,
): Promise<Accepted<string> | undefined> {
  if (accept === undefined) return undefined;
  const token = await loadToken(accept.token, reading);
  if (accept.previous === undefined) return { token };
  const { token: source, until } = accept.previous;
  return { token, previous: { token: await loadToken(source, reading), until } };
}

function acceptedTokens(accept: Accepted<string> | undefined): string[] {
  if (accept === undefined) return [];
  return [accept.token, ...(accept.previous === undefined ? [] : [accept.previous.token])];
}
