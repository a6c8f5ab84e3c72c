/**
 * The member `federation` of `network.json`: the public policy (protocol.md "Configuration") and the
 * private settings of each peer.
 *
 *     "federation": {"enabled", "cross_anchor_threshold", "interval_seconds"?,
 *       "peer_networks": [{"id", "gateway_url"?, "min_witnesses"?, "config_file"?,
 *         "succession_file"?,
 *         "federation_url"? (one or a list), "token_file"? or "token_env"?,
 *         "accept_token_file"? or "accept_token_env"?,
 *         "accept_previous_token_file"? or "accept_previous_token_env"?,
 *         "accept_previous_until"?}]}
 *
 * Parsing reads no file; {@linkcode loadFederation} reads the named files and variables.
 *
 * @module
 */

import type { Bls } from "../proof/crypto/bls.ts";
import type { Fields } from "../proof/format/fields.ts";
import { type NetworkConfiguration, publicKeysOf } from "../proof/format/network.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import {
  loadToken,
  readSecretSource,
  secretMembers,
  type SecretReading,
  type SecretSource,
} from "./bearer_tokens.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { loadPinned, type PinnedNetwork } from "./pinned_peer.ts";
import { invalid, oneOrMore } from "./validation.ts";

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
  /** Absolute path of its chain, as `GET /v1/succession` answers it. */
  readonly successionFile?: string;
  /** The operator listeners of its gateways, and the token that we send. */
  readonly outbound?: { readonly urls: readonly string[]; readonly token: SecretSource };
  readonly accept?: Accepted<SecretSource>;
}

/** The private settings of federation. */
export interface FederationPeers {
  /** Seconds between two heads that are sent to a peer; 0 for every published head. */
  readonly intervalSeconds: number;
  /** In the order of the public `peer_networks`. */
  readonly peers: readonly FederationPeer[];
}

/** One peer with its configuration and tokens. Secret. */
export interface LoadedPeer {
  readonly network: PinnedNetwork;
  /** From the peer's threshold to the number of its witnesses. */
  readonly minWitnesses: number;
  /** Its public gateway. */
  readonly gatewayUrl?: string;
  readonly outbound?: { readonly urls: readonly string[]; readonly token: string };
  readonly accept?: Accepted<string>;
}

const ACCEPT = "accept_token";
const PREVIOUS = "accept_previous_token";
const UNTIL = "accept_previous_until";

/** At least one head a day is sent to each peer. */
const MAX_INTERVAL_SECONDS = 86_400;

/** Public members of a peer's entry. */
const PUBLIC_PEER_MEMBERS: Members = {
  id: required("network id", "Name of the peer."),
  gateway_url: optional("URL", "Its public gateway."),
  min_witnesses: optional("number", "Signatures that its cross-anchor needs.", {
    standard: "its threshold",
  }),
};

const PEER_MEMBERS: Members = {
  ...PUBLIC_PEER_MEMBERS,
  config_file: optional("path", "Its pinned network.public.json."),
  succession_file: optional(
    "path",
    "Its chain, as its `GET /v1/succession` answers it; fetched if `gateway_url` is given.",
  ),
  federation_url: optional(
    "URL, or list of URLs",
    "Operator listeners of its gateways. Our tree heads go to the active one.",
  ),
  ...secretMembers("token", "the token that we send it"),
  ...secretMembers(ACCEPT, "the token that it sends us"),
  ...secretMembers(PREVIOUS, "its previous token"),
  [UNTIL]: optional("Unix seconds", "Time at which its previous token expires."),
};

function policyMembers(peers: Members): Members {
  return {
    enabled: required("true or false", "Whether proofs can be Federated."),
    cross_anchor_threshold: required("number", "Peers that a Federated proof needs."),
    peer_networks: required("list of objects", "Networks that cosign our tree heads.", peers),
  };
}

/** Members of the object `federation` of `network.public.json`. */
export const PUBLIC_FEDERATION_MEMBERS = policyMembers(PUBLIC_PEER_MEMBERS);

/** Members of the object `federation` of `network.json`; `federate` writes it. */
export const FEDERATION_MEMBERS: Members = {
  ...policyMembers(PEER_MEMBERS),
  interval_seconds: optional(
    `0 to ${MAX_INTERVAL_SECONDS}`,
    "Minimum time between two heads that are sent to a peer; 0 sends each.",
    { standard: 0 },
  ),
};

/** The member `federation`. `malformed_configuration`, `invalid_configuration`. */
export function readFederationPeers(
  network: Fields,
  context: { readonly pathOf: (path: string) => string; readonly insecure: boolean },
): FederationPeers {
  if (!network.has("federation")) return { intervalSeconds: 0, peers: [] };
  const policy = network.object("federation", ...namesOf(FEDERATION_MEMBERS));
  const intervalSeconds = policy.has("interval_seconds") ? policy.integer("interval_seconds") : 0;
  if (intervalSeconds > MAX_INTERVAL_SECONDS) {
    throw invalid(
      policy.where,
      `interval_seconds ${intervalSeconds} is not from 0 to ${MAX_INTERVAL_SECONDS}`,
    );
  }
  const peers = policy.list("peer_networks").map((value, i) => {
    const names = namesOf(PEER_MEMBERS);
    return readPeer(policy.within(value, `peer_networks[${i}]`, ...names), context);
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
  const urls = oneOrMore(fields, "federation_url");
  for (const url of urls) parseServiceUrl(url, { insecure });
  if ((urls.length === 0) !== (token === undefined)) {
    throw invalid(
      fields.where,
      "federation_url needs token_file or token_env, and they need federation_url",
    );
  }
  const configFile = fields.has("config_file") ? pathOf(fields.text("config_file")) : undefined;
  if (configFile === undefined && (urls.length > 0 || accept !== undefined)) {
    throw invalid(
      fields.where,
      "member config_file is missing: name the peer's network.public.json",
    );
  }
  const successionFile = fields.has("succession_file")
    ? pathOf(fields.text("succession_file"))
    : undefined;
  if (successionFile !== undefined && configFile === undefined) {
    throw invalid(fields.where, "succession_file needs config_file");
  }
  return {
    id: fields.text("id"),
    ...(fields.has("min_witnesses") && { minWitnesses: fields.integer("min_witnesses") }),
    ...(configFile !== undefined && { configFile }),
    ...(successionFile !== undefined && { successionFile }),
    ...(token !== undefined && { outbound: { urls, token } }),
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
    throw invalid(fields.where, `give both a previous token and ${UNTIL}, or neither`);
  }
  if (token === undefined) {
    if (previous === undefined) return undefined;
    throw invalid(
      fields.where,
      "accept_previous_token needs accept_token_file or accept_token_env too",
    );
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
    const network = await loadPinned(peer.id, peer.configFile, peer.successionFile, reading.bls);
    const found = publicKeysOf(network);
    if ([...found].some((key) => keys.has(key))) {
      throw invalid(
        `peer ${peer.id}`,
        "one of its keys is also a key of this network or of another peer",
      );
    }
    for (const key of found) keys.add(key);
    const minWitnesses = checkMinWitnesses(network, peer.minWitnesses ?? network.threshold);
    const accept = await loadAccepted(peer, reading);
    for (const token of acceptedTokens(accept)) {
      if (tokens.has(token)) {
        throw invalid(
          `peer ${peer.id}`,
          "another peer has the same token; each peer needs its own",
        );
      }
      tokens.add(token);
    }
    const { outbound } = peer;
    const gatewayUrl = own.federation.peer_networks.find(({ id }) => id === peer.id)?.gateway_url;
    loaded.push({
      network,
      minWitnesses,
      ...(gatewayUrl !== undefined && { gatewayUrl }),
      ...(outbound !== undefined &&
        { outbound: { ...outbound, token: await loadToken(outbound.token, reading) } }),
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
  for (const { id, configFile, successionFile } of peers) {
    if (configFile === undefined) continue;
    networks.push(await loadPinned(id, configFile, successionFile, bls));
  }
  return networks;
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
