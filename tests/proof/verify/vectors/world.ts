/**
 * The networks and logs of the verification vectors: every key and signature is a function of names.
 *
 * @module
 */

import type {
  FederationPolicy,
  NetworkConfiguration,
} from "../../../../src/proof/format/network.ts";
import { publicNetwork } from "../../../../src/proof/format/public_network.ts";
import type { SignatureScheme } from "../../../../src/proof/format/signature_set.ts";
import { QUICKNET_BEACONS, QUICKNET_TIME } from "../../../beacons.ts";
import { TestLog } from "../test_log.ts";
import { digestOf, TestNetwork } from "../test_network.ts";

/** Unix seconds of the first round: after the beacon that it contains. */
export const ROUND_TIME = QUICKNET_TIME + 21;
/** Unix seconds of the batch's tree head. */
export const HEAD_TIME = ROUND_TIME + 60;
/** Unix seconds of the peers' cosignatures. */
export const PEER_TIME = HEAD_TIME + 30;
/** The tree size at which the batch closes. */
export const BATCH_SIZE = 10;
/** The tree size at which the batch before it closed. */
export const PREVIOUS_SIZE = 2;
/** The attestation of most cases: inside a round of 5. */
export const SEQUENCE = 4;
/** Leaves of the log. */
export const LOG_SIZE = 14;

const PEER_NETWORKS = [
  { id: "alpha.example/log" },
  { id: "beta.example/log" },
  { id: "shared.example/log" },
  { id: "strict.example/log", min_witnesses: 3 },
  { id: "homekey.example/log" },
];

/** Peers: `alpha`, `shared` and `strict` are of scheme `ed25519`, `beta` of `bls`. */
export const peers = {
  alpha: new TestNetwork("alpha.example/log"),
  beta: new TestNetwork("beta.example/log", { scheme: "bls" }),
  /** Shares a key with `alpha`. */
  shared: new TestNetwork("shared.example/log", { seeds: ["alpha.example/log/w2"] }),
  strict: new TestNetwork("strict.example/log"),
  /** Not in any configuration. */
  stranger: new TestNetwork("stranger.example/log"),
};

/** One home network, its log, a fork of it, and a peer that shares one of its keys. */
export interface Home {
  readonly scheme: SignatureScheme;
  readonly network: TestNetwork;
  readonly log: TestLog;
  /** The same network's second history, which differs from sequence 2 on. */
  readonly fork: TestLog;
  readonly homeKeyPeer: TestNetwork;
}

function federation(threshold: number, enabled = true): FederationPolicy {
  return { enabled, peer_networks: PEER_NETWORKS, cross_anchor_threshold: threshold };
}

function logOf(network: TestNetwork, content: string): TestLog {
  const log = new TestLog(network);
  const [beacon] = QUICKNET_BEACONS;
  let count = 0;
  for (const [i, size] of [2, 5, 3, 4].entries()) {
    const hashes = Array.from({ length: size }, () => {
      const text = count < 2 ? `content ${count}` : `${content} ${count}`;
      count++;
      return digestOf(text);
    });
    log.addRound(hashes, { timestamp: ROUND_TIME + 2 * i, ...(i === 1 && { beacon }) });
  }
  return log;
}

function homeOf(scheme: SignatureScheme): Home {
  const network = new TestNetwork(`home.example/${scheme}`, { scheme, federation: federation(1) });
  return {
    scheme,
    network,
    log: logOf(network, "content"),
    fork: logOf(network, "other content"),
    homeKeyPeer: new TestNetwork("homekey.example/log", {
      scheme,
      seeds: [`home.example/${scheme}/w3`],
    }),
  };
}

/** The home network of each scheme. */
export const homes: Readonly<Record<SignatureScheme, Home>> = {
  ed25519: homeOf("ed25519"),
  bls: homeOf("bls"),
};

/** The configurations of `networks.json`, by the names that cases use. */
export const NETWORKS: ReadonlyMap<string, NetworkConfiguration> = new Map([
  ...Object.values(homes).flatMap(({ scheme, network: { configuration }, homeKeyPeer }) => {
    const { log_vkey: _, ...withoutLog } = configuration;
    const variants: [string, NetworkConfiguration][] = [
      [scheme, configuration],
      [`${scheme} without log key`, withoutLog],
      [`${scheme} threshold 3`, { ...configuration, threshold: 3 }],
      [`${scheme} two peers`, { ...configuration, federation: federation(2) }],
      [`${scheme} federation threshold 0`, { ...configuration, federation: federation(0) }],
      [`${scheme} federation off`, { ...configuration, federation: federation(1, false) }],
      [`homekey ${scheme}`, homeKeyPeer.configuration],
    ];
    return variants;
  }),
  ...Object.entries(peers).map(([name, { configuration }]) => [name, configuration] as const),
].map(([name, configuration]) => [name, publicNetwork(configuration)]));
