/**
 * The member `federation` of `network.json`: the public policy (protocol.md "Configuration") and the
 * private settings of each peer.
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
} from "../proof/format/network.ts";
import { publicKeysOf } from "../proof/format/network_check.ts";
import { list, type Of, time } from "../proof/format/schema.ts";
import { loadToken, type SecretReading } from "./bearer_tokens.ts";
import { integer, oneOrMore, optionalSecret, path, settings, url } from "./settings.ts";
import { invalid, namingFile } from "./validation.ts";
import { withCarriedChain } from "../client/further_epochs.ts";
import { verifyNative } from "../proof/crypto/ed25519_native.ts";
import { portableBls } from "../proof/crypto/portable_bls.ts";
import { portableKernels } from "../proof/crypto/portable_kernels.ts";
import { parseNetwork } from "../proof/format/network_reader.ts";
import { parseSuccessionChain } from "../proof/format/succession.ts";
import { presentEpoch } from "../gateway/federation/followed_peer.ts";
import { type FollowedNetwork, followSuccession } from "../proof/verify/followed_network.ts";
import { readTextFile } from "./text_file.ts";

/** One peer with its configuration and tokens. Secret. */
export interface LoadedPeer {
  readonly network: PinnedNetwork;
  /** From the peer's threshold to the number of its witnesses. */
  readonly minWitnesses: number;
  /** Its public gateway. */
  readonly gatewayUrl?: string | undefined;
  readonly outbound?: { readonly urls: readonly string[]; readonly token: string };
  /** The token that it sends us, and the previous one while it is valid. */
  readonly accept?: {
    readonly token: string;
    /** `until` is Unix seconds. */
    readonly previous?: { readonly token: string; readonly until: number };
  } | undefined;
}

/** At least one head a day is sent to each peer. */
const MAX_INTERVAL_SECONDS = 86_400;

const PEER = settings({
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
}).convert((peer, where) => {
  const has = (name: keyof typeof peer) => peer[name] !== undefined;
  if (has("federationUrl") !== has("token")) {
    throw invalid(
      where,
      "federation_url needs token_file or token_env, and they need federation_url",
    );
  }
  if (has("acceptPreviousToken") !== has("acceptPreviousUntil")) {
    throw invalid(where, "give both a previous token and accept_previous_until, or neither");
  }
  if (has("acceptPreviousToken") && !has("acceptToken")) {
    throw invalid(where, "accept_previous_token needs accept_token_file or accept_token_env too");
  }
  if (!has("configFile") && (has("token") || has("acceptToken"))) {
    throw invalid(where, "member config_file is missing: name the peer's network.public.json");
  }
  if (!has("configFile") && has("successionFile")) {
    throw invalid(where, "succession_file needs config_file");
  }
  return peer;
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
    const { gatewayUrl, federationUrl: urls, token } = peer;
    loaded.push({
      network,
      minWitnesses,
      gatewayUrl,
      ...(urls !== undefined && token !== undefined &&
        { outbound: { urls, token: await loadToken(token, reading) } }),
      accept,
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
  { acceptToken, acceptPreviousToken: previous, acceptPreviousUntil: until }: FederationPeer,
  reading: SecretReading,
): Promise<LoadedPeer["accept"]> {
  if (acceptToken === undefined) return undefined;
  const token = await loadToken(acceptToken, reading);
  if (previous === undefined || until === undefined) return { token };
  return { token, previous: { token: await loadToken(previous, reading), until } };
}

function acceptedTokens(accept: LoadedPeer["accept"]): string[] {
  return [accept?.token, accept?.previous?.token].filter((token) => token !== undefined);
}

/** A configuration with the log's key, of the last epoch that was followed. */
type PinnedNetwork = FollowedNetwork & { readonly log_vkey: string };

/** The configuration of peer `id` in `file`, followed by the chain in `successionFile`. */
export async function loadPinned(
  id: string,
  file: string,
  successionFile: string | undefined,
  bls: Bls | undefined,
): Promise<PinnedNetwork> {
  const text = await readTextFile(file);
  const pinned = namingFile(file, () => parseNetwork(text, bls));
  if (pinned.id !== id) {
    throw invalid(`"${file}"`, `it is the configuration of ${pinned.id}, not of ${id}`);
  }
  const network = await followFile(pinned, successionFile, bls);
  const { log_vkey } = network;
  if (log_vkey === undefined) throw invalid(`"${file}"`, "log_vkey is missing");
  return { ...network, log_vkey };
}

/** The last epoch that the chains in `pinned` and in `file` lead to, with all others. */
async function followFile(
  pinned: NetworkConfiguration,
  file: string | undefined,
  bls: Bls = portableBls,
): Promise<FollowedNetwork> {
  const crypto = { kernels: portableKernels, ed25519: verifyNative, bls };
  const carried = await withCarriedChain(crypto, pinned);
  if (file === undefined) return presentEpoch(carried);
  const text = await readTextFile(file);
  const links = namingFile(file, () => parseSuccessionChain(text));
  const { network, failure } = await followSuccession(crypto, carried, links);
  if (failure !== undefined) {
    throw invalid(
      `"${file}"`,
      `it does not lead from the configuration of ${pinned.id}: ${failure.reason} (${failure.field})`,
    );
  }
  return presentEpoch(network);
}
