/**
 * Verifies cross-anchors and counts peers (protocol.md "Resources", *Federated*): a peer network's
 * witnesses
 * cosigned our own tree head, at the batch's size or later.
 *
 * @module
 */

import { utf8 } from "../bytes.ts";
import type { CrossAnchor } from "../format/bundle.ts";
import { type NetworkConfiguration, type PeerNetwork, publicKeysOf } from "../format/network.ts";
import { isEd25519Set } from "../format/signature_set.ts";
import { encodeCosignatureMessage, type TreeHead } from "../format/tree_head.ts";
import { isPrefix } from "./merkle_checks.ts";
import type { Failure } from "./reasons.ts";
import { verifyThreshold } from "./threshold.ts";
import type { BeaconCheck } from "./time_bracket.ts";
import type { CrossAnchorLayer, FederationSummary } from "./verdict.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** A gateway shows one anchor of each peer, and whoever makes a bundle may add any number of them. */
const MAX_VERIFIED_OF_PEER = 8;

/** What a verifier trusts: its pinned network, and configurations of peers. */
export interface Trust {
  readonly network: NetworkConfiguration;
  readonly peers: readonly NetworkConfiguration[];
  /** Of beacons; by default those of drand quicknet, each verified anew. */
  readonly beacons?: BeaconCheck;
}

/** Every anchor of a bundle, in its order, and what they amount to. */
export interface FederationResult {
  readonly layers: readonly CrossAnchorLayer[];
  readonly summary: FederationSummary;
}

/** Verifies `anchors` of `head`, the batch's verified tree head; none when it is not verified. */
export async function verifyCrossAnchors(
  crypto: VerifierCrypto,
  trust: Trust,
  anchors: readonly CrossAnchor[],
  head: TreeHead | undefined,
): Promise<FederationResult> {
  const layers: CrossAnchorLayer[] = [];
  const verified = new Map<string, number>();
  for (const anchor of anchors) {
    const { witnessing_network: id } = anchor;
    const before = verified.get(id) ?? 0;
    verified.set(id, before + 1);
    layers.push(
      head === undefined
        ? uncounted(anchor, "not_checked", { reason: "lower_layer_unverified" })
        : before >= MAX_VERIFIED_OF_PEER
        ? uncounted(anchor, "not_checked", named("peer_anchors_surplus"))
        : await verifyAnchor(crypto, trust, anchor, head),
    );
  }
  return countPeers(trust, layers);
}

function uncounted(
  anchor: CrossAnchor,
  status: "failed" | "not_checked",
  failure: Failure,
): CrossAnchorLayer {
  return { network: anchor.witnessing_network, status, counted: false, ...failure };
}

async function verifyAnchor(
  crypto: VerifierCrypto,
  trust: Trust,
  anchor: CrossAnchor,
  head: TreeHead,
): Promise<CrossAnchorLayer> {
  const { network } = trust;
  const anchored = anchor.tree_head;
  const id = anchor.witnessing_network;
  const pinned = network.federation.peer_networks.find((peer) => peer.id === id);
  if (id === network.id) return uncounted(anchor, "failed", named("peer_is_home"));
  if (pinned === undefined) return uncounted(anchor, "failed", named("peer_not_pinned"));
  // A head of another log, the peer's own above all, shows nothing about ours.
  if (anchored.network_id !== network.id) {
    return uncounted(anchor, "failed", {
      reason: "network_mismatch",
      field: "tree_head.network_id",
    });
  }
  const peer = trust.peers.find((candidate) => candidate.id === id);
  if (peer === undefined) {
    return uncounted(anchor, "not_checked", named("peer_configuration_missing"));
  }
  const message = utf8(encodeCosignatureMessage(anchored));
  const { met, reason, witness, ...signatures } = await verifyThreshold(
    crypto,
    peer,
    message,
    anchor,
  );
  const failure = reason !== undefined
    ? { reason }
    : checkAnchor(crypto, pinned, anchor, { head, verified: signatures.verified });
  return {
    network: id,
    status: met && failure === undefined ? "verified" : "failed",
    counted: false,
    ...failure,
    signatures,
    ...(witness !== undefined && { witness }),
  };
}

function named(reason: Failure["reason"]): Failure {
  return { reason, field: "witnessing_network" };
}

function checkAnchor(
  crypto: VerifierCrypto,
  pinned: PeerNetwork,
  anchor: CrossAnchor,
  { head, verified }: { readonly head: TreeHead; readonly verified: number },
): Failure | undefined {
  if (verified < (pinned.min_witnesses ?? 0)) {
    return {
      reason: "min_witnesses_not_met",
      field: isEd25519Set(anchor) ? "signatures" : "signers",
    };
  }
  if (anchor.tree_head.tree_size < head.tree_size) {
    return { reason: "anchor_precedes_batch", field: "tree_head.tree_size" };
  }
  if (!isPrefix(crypto.kernels, head, anchor.tree_head, anchor.consistency_path)) {
    return { reason: "consistency_invalid", field: "consistency_path" };
  }
  return undefined;
}

/**
 * Counts each peer with a verified anchor once. Peers are taken in the order of the pinned
 * configuration, not of the bundle, so that whoever assembles a bundle cannot choose which of two
 * peers that share a key is counted.
 */
function countPeers(trust: Trust, layers: readonly CrossAnchorLayer[]): FederationResult {
  const { enabled, peer_networks, cross_anchor_threshold: required } = trust.network.federation;
  const taken = publicKeysOf(trust.network);
  const counted: string[] = [];
  const outcomes = new Map<CrossAnchorLayer, CrossAnchorLayer>();
  for (const { id } of peer_networks) {
    const [first, ...repeats] = layers.filter((layer) =>
      layer.network === id && layer.status === "verified"
    );
    const peer = trust.peers.find((candidate) => candidate.id === id);
    if (first === undefined || peer === undefined) continue;
    const keys = publicKeysOf(peer);
    if (keys.isDisjointFrom(taken)) {
      for (const key of keys) taken.add(key);
      counted.push(id);
      outcomes.set(first, { ...first, counted: true });
    } else {
      outcomes.set(first, { ...first, ...named("peer_key_shared") });
    }
    for (const repeat of repeats) {
      outcomes.set(repeat, { ...repeat, ...named("peer_already_counted") });
    }
  }
  return {
    layers: layers.map((layer) => outcomes.get(layer) ?? layer),
    summary: { counted, required, ...policyFailure(enabled, required, counted.length) },
  };
}

function policyFailure(
  enabled: boolean,
  required: number,
  counted: number,
): Failure | undefined {
  if (!enabled || required < 1) return { reason: "federation_disabled" };
  return counted < required ? { reason: "cross_anchors_missing" } : undefined;
}
