/**
 * Verifies cross-anchors and counts peers (X1 to X12, F1 and F2 of verification.md "Bundle: inputs,
 * checks, results"): the witnesses of a peer cosigned a tree head of the home network, at the batch's
 * size or a larger one.
 *
 * @module
 */

import { utf8 } from "../../base/bytes.ts";
import type { CrossAnchor } from "../format/bundle.ts";
import type { PeerNetwork } from "../format/network.ts";
import { publicKeysOf } from "../format/network_check.ts";
import { isEd25519Set, type SignatureSet } from "../format/signature_set.ts";
import { encodeCosignatureMessage, type TreeHead } from "../format/tree_head.ts";
import { type Epoch, type FollowedNetwork, trustedIn } from "./followed_network.ts";
import { isPrefix } from "./merkle_checks.ts";
import type { Failure } from "./reasons.ts";
import { type SigningNetwork, type ThresholdResult, verifyThreshold } from "./threshold.ts";
import type { BeaconCheck } from "./time_bracket.ts";
import type { CrossAnchorLayer, FederationSummary } from "./verdict.ts";
import type { SignatureCrypto, VerifierCrypto } from "./verifier_crypto.ts";

/** X2. Bounds the work for a hostile bundle; a gateway includes one anchor of each peer. */
const MAX_VERIFIED_OF_PEER = 8;

/** The pinned configurations: of the home network and of peers. */
export interface Trust {
  readonly network: FollowedNetwork;
  readonly peers: readonly FollowedNetwork[];
  /** Verifies beacons; by default those of drand quicknet, without a cache. */
  readonly beacons?: BeaconCheck;
}

/** The anchors of a bundle, in its order, and whether they meet the federation policy. */
export interface FederationResult {
  readonly layers: readonly CrossAnchorLayer[];
  readonly summary: FederationSummary;
}

/** Verifies `anchors` of `head`, the batch's tree head; `undefined` if it is not verified. */
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
        ? uncounted(anchor, "not_checked", { reason: "lower_layer_unverified" }) // X1
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
  if (id === network.id) return uncounted(anchor, "failed", named("peer_is_home")); // X3
  if (pinned === undefined) return uncounted(anchor, "failed", named("peer_not_pinned")); // X4
  // A tree head of another log, such as the peer's own, says nothing about the home log.
  if (anchored.network_id !== network.id) { // X5
    return uncounted(anchor, "failed", {
      reason: "network_mismatch",
      field: "tree_head.network_id",
    });
  }
  const peer = trust.peers.find((candidate) => candidate.id === id);
  if (peer === undefined) { // X6
    return uncounted(anchor, "not_checked", named("peer_configuration_missing"));
  }
  const counted = await countCosigners(crypto, peer, anchored, anchor, head.timestamp);
  if (counted === undefined) return uncounted(anchor, "failed", named("log_ended"));
  const { met, reason, witness, ...signatures } = counted;
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

/**
 * X7. Who signs for `peer`, newest first: a cosignature of another log's head has no place in the
 * peer's own log. An epoch that ended counts only for batches that are older than its end, so that its
 * keys cannot speak about anything later.
 */
function anchorSigners(peer: FollowedNetwork, batchTime: number): SigningNetwork[] {
  const epochs: readonly Epoch[] = peer.epochs ?? [{ network: peer }];
  return epochs.filter(({ endTime }) => endTime === undefined || batchTime <= endTime)
    .map((epoch) => trustedIn(peer, epoch, Infinity))
    .reverse();
}

/**
 * The first count of the signatures of `peer` over `anchored` that meets a threshold, else that of the
 * newest epoch (X7); `undefined` if all epochs ended before `batchTime`.
 */
export async function countCosigners(
  crypto: SignatureCrypto,
  peer: FollowedNetwork,
  anchored: TreeHead,
  signatures: SignatureSet,
  batchTime = 0,
): Promise<ThresholdResult | undefined> {
  const [newest, ...older] = anchorSigners(peer, batchTime);
  if (newest === undefined) return undefined;
  const message = utf8(encodeCosignatureMessage(anchored));
  const result = await verifyThreshold(crypto, newest, message, signatures);
  for (const network of result.met ? [] : older) {
    const earlier = await verifyThreshold(crypto, network, message, signatures);
    if (earlier.met) return earlier;
  }
  return result;
}

/** The keys of all epochs. */
function keysOf(network: FollowedNetwork): Set<string> {
  const epochs = network.epochs ?? [{ network }];
  return new Set(epochs.flatMap((epoch) => [...publicKeysOf(epoch.network)]));
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
  if (verified < (pinned.min_witnesses ?? 0)) { // X8
    return {
      reason: "min_witnesses_not_met",
      field: isEd25519Set(anchor) ? "signatures" : "signers",
    };
  }
  if (anchor.tree_head.tree_size < head.tree_size) { // X9
    return { reason: "anchor_precedes_batch", field: "tree_head.tree_size" };
  }
  if (!isPrefix(crypto.kernels, head, anchor.tree_head, anchor.consistency_path)) { // X10
    return { reason: "consistency_invalid", field: "consistency_path" };
  }
  return undefined;
}

/**
 * Counts each peer with a verified anchor once. Of peers that share a key, only the first of the pinned
 * configuration may count, whatever the bundle shows: an anchor of it that fails must not make room for
 * several others.
 */
function countPeers(trust: Trust, layers: readonly CrossAnchorLayer[]): FederationResult {
  const { enabled, peer_networks, cross_anchor_threshold: required } = trust.network.federation;
  const taken = keysOf(trust.network);
  const counted: string[] = [];
  const outcomes = new Map<CrossAnchorLayer, CrossAnchorLayer>();
  for (const { id } of peer_networks) {
    const peer = trust.peers.find((candidate) => candidate.id === id);
    if (peer === undefined) continue;
    const keys = keysOf(peer);
    const isShared = [...keys].some((key) => taken.has(key));
    for (const key of keys) taken.add(key);
    const verified = layers.filter((layer) => layer.network === id && layer.status === "verified");
    const [first] = verified;
    if (first === undefined) continue;
    const failure = named(isShared ? "peer_key_shared" : "peer_already_counted"); // X11, X12
    for (const layer of verified) outcomes.set(layer, { ...layer, ...failure });
    if (isShared) continue;
    counted.push(id);
    outcomes.set(first, { ...first, counted: true });
  }
  return {
    layers: layers.map((layer) => outcomes.get(layer) ?? layer),
    summary: { counted, required, ...policyFailure(enabled, required, counted.length) },
  };
}

function policyFailure(enabled: boolean, required: number, counted: number): Failure | undefined {
  if (!enabled || required < 1) return { reason: "federation_disabled" }; // F1
  return counted < required ? { reason: "cross_anchors_missing" } : undefined; // F2
}
