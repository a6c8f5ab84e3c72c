/**
 * The member `federation` of `network.json`: the public policy (protocol.md "Configuration",
 * "Resources"), and for each peer
 * what only this gateway may know.
 *
 *     "federation": {"enabled", "cross_anchor_threshold", "interval_seconds"?,
 *       "peer_networks": [{"id", "gateway_url"?, "min_witnesses"?, "config_file"?,
 *         "federation_url"?, "token_file"? or "token_env"?,
 *         "accept_token_file"? or "accept_token_env"?,
 *         "accept_previous_token_file"? or "accept_previous_token_env"?,
 *         "accept_previous_until"?}]}
 *
 * Parsing reads nothing; {@linkcode loadFederation} reads what was named.
 *
 * @module
 */

import type { Bls } from "../crypto/bls.ts";
import { CountersignError } from "../errors.ts";
import type { Fields } from "../format/fields.ts";
import { type NetworkConfiguration, parseNetwork, publicKeysOf } from "../format/network.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import {
  loadToken,
  readSecretSource,
  secretMembers,
  type SecretReading,
  type SecretSource,
} from "./secret_text.ts";
import { readTextFile } from "./text_file.ts";

/** A token that a peer shows us, and the one before it as long as it holds. */
interface Accepted<Token> {
  readonly token: Token;
  readonly previous?: {
    readonly token: Token;
    /** Unix seconds. */
    readonly until: number;
  };
}

/** One peer as the file names it. */
export interface FederationPeer {
  readonly id: string;
  readonly minWitnesses?: number;
  /** Absolute path of its pinned configuration. */
  readonly configFile?: string;
  /** Its operator listener, and the token that we show there. */
  readonly outbound?: { readonly url: string; readonly token: SecretSource };
  readonly accept?: Accepted<SecretSource>;
}

/** What the file says beside the public policy. */
export interface FederationPeers {
  /** Seconds between two heads that are put to a peer; 0 for every published one. */
  readonly intervalSeconds: number;
  /** In the order of the public `peer_networks`. */
  readonly peers: readonly FederationPeer[];
}

/** A configuration that says by which key the log signs. */
export type PinnedNetwork = NetworkConfiguration & { readonly log_vkey: string };

/** One peer with everything that was read for it. Secret. */
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

/** More would be no use of a schedule: a peer that is put nothing for a day looks away. */
const MAX_INTERVAL_SECONDS = 86_400;

/** The member `federation`. `malformed_configuration`, `invalid_configuration`. */
export function readFederationPeers(
  network: Fields,
  context: { readonly pathOf: (path: string) => string; readonly insecure: boolean },
): FederationPeers {
  if (!network.has("federation")) return { intervalSeconds: 0, peers: [] };
  const policy = network.object("federation", POLICY, { optional: ["interval_seconds"] });
  const intervalSeconds = policy.has("interval_seconds") ? policy.count("interval_seconds") : 0;
  if (intervalSeconds > MAX_INTERVAL_SECONDS) {
    throw invalid(
      policy.where,
      `interval_seconds up to ${MAX_INTERVAL_SECONDS}`,
      String(intervalSeconds),
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
    throw invalid(fields.where, "federation_url and a token together", "one of them");
  }
  const configFile = fields.has("config_file") ? pathOf(fields.text("config_file")) : undefined;
  if (configFile === undefined && (url !== undefined || accept !== undefined)) {
    throw invalid(fields.where, "config_file, the peer's pinned configuration,", "none");
  }
  if (url !== undefined) parseServiceUrl(url, { insecure });
  return {
    id: fields.text("id"),
    ...(fields.has("min_witnesses") && { minWitnesses: fields.count("min_witnesses") }),
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
    throw invalid(fields.where, `a previous token and ${UNTIL} together`, "one of them");
  }
  if (token === undefined) {
    if (previous === undefined) return undefined;
    throw invalid(fields.where, "a token that follows the previous one", "none");
  }
  return previous === undefined
    ? { token }
    : { token, previous: { token: previous, until: fields.count(UNTIL) } };
}

/**
 * The peers of `own` whose configurations are pinned, with their tokens, in order. A peer shares no
 * key with us or with another one, since none that does would be counted (protocol.md "Resources"),
 * and each
 * accepted token is one peer's: it says whose head comes. `invalid_configuration`, `invalid_key`,
 * `malformed_configuration`, `configuration_missing`, `file_failed`.
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
      throw invalid(`peer ${peer.id}`, "keys that no other network has", "a shared one");
    }
    for (const key of found) keys.add(key);
    const minWitnesses = checkMinWitnesses(network, peer.minWitnesses ?? network.threshold);
    const accept = await loadAccepted(peer, reading);
    for (const token of acceptedTokens(accept)) {
      if (tokens.has(token)) {
        throw invalid(`peer ${peer.id}`, "accepted tokens that are used once", "one twice");
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

/** The pinned configurations of `peers`, without any of their secrets, as {@linkcode loadFederation}. */
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
    throw invalid(`"${file}"`, `the configuration of ${id}`, `that of ${network.id}`);
  }
  const { log_vkey } = network;
  if (log_vkey === undefined) throw invalid(`"${file}"`, "a log_vkey", "none");
  return { ...network, log_vkey };
}

/** `count`, where so many witnesses of `peer` can be asked for; `invalid_configuration`. */
export function checkMinWitnesses(peer: NetworkConfiguration, count: number): number {
  const { id, threshold, witnesses } = peer;
  if (count >= threshold && count <= witnesses.length) return count;
  throw invalid(
    `peer ${id}`,
    `min_witnesses from ${threshold}, its threshold, to ${witnesses.length}`,
    String(count),
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

function invalid(where: string, required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use ${where}: ${required} required, found ${found}`,
  );
}
