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
import {
  type NetworkConfiguration,
  PEER_MEMBERS,
  POLICY_MEMBERS,
  publicKeysOf,
} from "../proof/format/network.ts";
import { list, type Of, time } from "../proof/format/schema.ts";
import { loadToken, type SecretReading } from "./bearer_tokens.ts";
import { loadPinned, type PinnedNetwork } from "./pinned_peer.ts";
import {
  integer,
  oneOrMore,
  optionalSecret,
  path,
  type SecretSource,
  settings,
  url,
} from "./settings.ts";
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

/** At least one head a day is sent to each peer. */
const MAX_INTERVAL_SECONDS = 86_400;

const PEER_SETTINGS = settings({
  ...PEER_MEMBERS,
  config_file: path("Its pinned network.public.json.").optional(),
  succession_file: path(
    "Its chain, as its `GET /v1/succession` answers it; fetched if `gateway_url` is given.",
  ).optional(),
  federation_url: oneOrMore(url("Operator listener of a gateway.")).with({
    description: "Operator listeners of its gateways. Our tree heads go to the active one.",
  }).optional(),
  token: optionalSecret("the token that we send it"),
  accept_token: optionalSecret("the token that it sends us"),
  accept_previous_token: optionalSecret("its previous token"),
  accept_previous_until: time("Time at which its previous token expires").optional(),
});

const PEER = PEER_SETTINGS.convert((peer, where) => {
  const { id, minWitnesses, configFile, successionFile, federationUrl: urls, token } = peer;
  const accept = acceptedOf(peer, where);
  if ((urls === undefined) !== (token === undefined)) {
    throw invalid(
      where,
      "federation_url needs token_file or token_env, and they need federation_url",
    );
  }
  if (configFile === undefined && (urls !== undefined || accept !== undefined)) {
    throw invalid(where, "member config_file is missing: name the peer's network.public.json");
  }
  if (configFile === undefined && successionFile !== undefined) {
    throw invalid(where, "succession_file needs config_file");
  }
  return {
    id,
    ...(minWitnesses !== undefined && { minWitnesses }),
    /** Absolute path of its pinned configuration. */
    ...(configFile !== undefined && { configFile }),
    /** Absolute path of its chain, as `GET /v1/succession` answers it. */
    ...(successionFile !== undefined && { successionFile }),
    /** The operator listeners of its gateways, and the token that we send. */
    ...(urls !== undefined && token !== undefined && { outbound: { urls, token } }),
    ...(accept !== undefined && { accept }),
  };
});

/** The member `federation` of `network.json`; `federate` writes it. */
export const FEDERATION = settings({
  ...POLICY_MEMBERS,
  peer_networks: list(PEER).with({ description: "Networks that cosign our tree heads." }),
  interval_seconds: integer(
    0,
    MAX_INTERVAL_SECONDS,
    "Minimum time between two heads that are sent to a peer; 0 sends each.",
  ).withDefault(0),
}).convert(({ intervalSeconds, peerNetworks: peers }) => ({ intervalSeconds, peers }));

/** The private settings of federation. */
export type FederationPeers = Of<typeof FEDERATION>;

type FederationPeer = Of<typeof PEER>;

function acceptedOf(
  { acceptToken: token, acceptPreviousToken: previous, acceptPreviousUntil: until }: Of<
    typeof PEER_SETTINGS
  >,
  where: string,
): Accepted<SecretSource> | undefined {
  if (previous !== undefined && until !== undefined && token !== undefined) {
    return { token, previous: { token: previous, until } };
  }
  if ((previous === undefined) !== (until === undefined)) {
    throw invalid(where, "give both a previous token and accept_previous_until, or neither");
  }
  if (previous !== undefined) {
    throw invalid(where, "accept_previous_token needs accept_token_file or accept_token_env too");
  }
  return token && { token };
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
