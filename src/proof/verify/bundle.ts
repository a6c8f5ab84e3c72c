/**
 * Verifies a ProofBundle offline, layer by layer (verification.md "Bundle: inputs, checks,
 * results"). A layer is checked only if the layer below is verified.
 *
 * @module
 */

import { type Bytes, equalBytes, fromHex, hexOf, utf8 } from "../../base/bytes.ts";
import type { ProofBundle } from "../format/bundle.ts";
import { isEd25519Set, type SignatureSet } from "../format/signature_set.ts";
import { rootFromInclusion } from "../merkle/proof.ts";
import { type AttestationResult, verifySignedAttestation } from "./attestation.ts";
import { INFORMATIVE_BATCH_FIELDS, verifyBatchInclusion } from "./batch.ts";
import { type Trust, verifyCrossAnchors } from "./cross_anchors.ts";
import { type FollowedNetwork, followSuccession, signersOfHead } from "./followed_network.ts";
import { verifyCheckpoint } from "./checkpoint.ts";
import { type Failure, type VerifyReason, within } from "./reasons.ts";
import { rejectedUncounted, type SignedOutcome, unlessFailed } from "./signed_outcome.ts";
import {
  attestationTime,
  type BeaconCheck,
  crossAnchorBound,
  headBound,
  quicknetVerifier,
  type TimeBracket,
  withTimeBounds,
} from "./time_bracket.ts";
import {
  type ExternalAnchorSummary,
  type Level,
  NOT_PROVEN,
  type SignedLayer,
  type Verdict,
  type VerdictLayers,
  type WitnessedLayer,
} from "./verdict.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";
import type { Hashing } from "../crypto/hashing.ts";
import { encodeCheckpointBody, type TreeHead } from "../format/tree_head.ts";
import { isPrefix } from "./merkle_checks.ts";

/**
 * The verdict on `bundle`, the result of `parseBundle`. With `expected.hash` (64 lowercase hex), a
 * bundle about another hash is invalid.
 */
export async function verifyBundle(
  crypto: VerifierCrypto,
  pinned: Trust,
  bundle: ProofBundle,
  expected: { readonly hash?: string } = {},
): Promise<Verdict> {
  const chain = bundle.succession ?? [];
  const { network, failure } = await followSuccession(crypto, pinned.network, chain);
  const trust = { ...pinned, network, peers: await followPeers(crypto, pinned.peers) };
  const attested = failure === undefined
    ? await verifyAttestation(crypto, network, bundle, expected.hash)
    : rejectedUncounted(network, failure);
  const batch = await verifyBatch(crypto, trust, bundle, attested);
  const head = batch.status === "verified" ? bundle.batch_inclusion?.sth.tree_head : undefined;
  const { layers: anchors, summary } = await verifyCrossAnchors(
    crypto,
    trust,
    bundle.cross_anchors,
    head,
  );
  const layers: VerdictLayers = {
    attestation: layerOf(attested),
    batch,
    cross_anchors: anchors,
    federation: summary,
    external_anchors: bindExternalAnchors(crypto.kernels, bundle.external_anchors, head),
    ...(bundle.witnessed !== undefined && {
      witnessed: await verifyWitnessed(crypto, network, bundle.witnessed, {
        sequence: bundle.signed_attestation.attestation.sequence,
        // B4: that of the attestation.
        hash: head && fromHex(bundle.batch_inclusion!.merkle_proof.leaf_hash),
      }),
    }),
  };
  return {
    valid: attested.valid,
    level: levelOf(layers),
    layers,
    signers: attested.valid ? attested.signers : [],
    time: timeOf(trust.beacons ?? quicknetVerifier(crypto.bls), bundle, { attested, layers }),
    unauthenticated: unauthenticatedPaths(network, bundle, layers),
    notProven: NOT_PROVEN,
    ...(network !== pinned.network && { followed: network }),
  };
}

/** Peers with the chains that they carry. One whose chain does not lead from it is not used. */
async function followPeers(
  crypto: VerifierCrypto,
  peers: readonly FollowedNetwork[],
): Promise<FollowedNetwork[]> {
  const followed = await Promise.all(peers.map((peer) => followSuccession(crypto, peer, [])));
  return followed.flatMap(({ network, failure }) => failure === undefined ? [network] : []);
}

async function verifyAttestation(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  bundle: ProofBundle,
  expectedHash: string | undefined,
): Promise<AttestationResult> {
  const signed = bundle.signed_attestation;
  const result = await verifySignedAttestation(crypto, network, signed);
  if (!result.valid) return unlessFailed(result, within("signed_attestation", result));
  if ((expectedHash ?? signed.attestation.hash) === signed.attestation.hash) return result;
  const field = "signed_attestation.attestation.hash";
  return unlessFailed(result, { reason: "hash_mismatch", field }); // A6
}

async function verifyBatch(
  crypto: VerifierCrypto,
  trust: Trust,
  bundle: ProofBundle,
  attested: AttestationResult,
): Promise<SignedLayer> {
  if (bundle.batch_inclusion === null) return { status: "absent" }; // B1
  const isSigned = attested.valid || attested.reason === "threshold_not_met";
  if (!isSigned || attested.leafHash === undefined) { // B2
    return { status: "not_checked", reason: "lower_layer_unverified" };
  }
  const leaf = {
    attestation: bundle.signed_attestation.attestation,
    leafHash: attested.leafHash,
  };
  return layerOf(await verifyBatchInclusion(crypto, trust.network, bundle.batch_inclusion, leaf));
}

function layerOf(outcome: SignedOutcome): SignedLayer {
  const { valid, reason, field, witness, leafHash: _, ...signatures } =
    outcome as AttestationResult;
  return {
    status: valid ? "verified" : "failed",
    ...(reason !== undefined && { reason }),
    ...(field !== undefined && { field }),
    ...(witness !== undefined && { witness }),
    signatures,
  };
}

function timeOf(
  beacons: BeaconCheck,
  { signed_attestation, batch_inclusion, cross_anchors }: ProofBundle,
  { attested, layers }: { readonly attested: AttestationResult; readonly layers: VerdictLayers },
): TimeBracket {
  const time = attestationTime(beacons, signed_attestation, attested);
  if (!attested.valid || batch_inclusion === null || layers.batch.status !== "verified") {
    return time;
  }
  const countOf = ({ signatures }: SignedLayer) => signatures?.verified ?? 0;
  return withTimeBounds(time, {
    not_after: [
      headBound(batch_inclusion.sth.tree_head, countOf(layers.batch)),
      ...layers.cross_anchors.flatMap((layer, i) =>
        layer.status === "verified" ? crossAnchorBound(cross_anchors[i]!, countOf(layer)) : []
      ),
    ],
  });
}

function levelOf(layers: VerdictLayers): Level {
  if (layers.attestation.status !== "verified") return "invalid";
  if (layers.batch.status !== "verified") return "basic";
  return layers.federation.reason === undefined ? "federated" : "batched";
}

function unauthenticatedPaths(
  network: FollowedNetwork,
  bundle: ProofBundle,
  layers: VerdictLayers,
): string[] {
  const paths = unverifiedSigners(
    "signed_attestation",
    layers.attestation,
    bundle.signed_attestation,
  );
  if (bundle.batch_inclusion !== null) {
    const sth = bundle.batch_inclusion.sth;
    paths.push(...unverifiedSigners("batch_inclusion", layers.batch, sth, ".sth"));
    if (layers.batch.status === "verified") {
      paths.push(...INFORMATIVE_BATCH_FIELDS);
      if (signersOfHead(network, sth.tree_head.tree_size)?.log_vkey === undefined) { // H5, H6
        const unchecked = (["log_signature", "receipt_signature"] as const).filter((name) =>
          sth[name] !== undefined
        );
        paths.push(...unchecked.map((name) => `batch_inclusion.sth.${name}`));
      }
    }
  }
  for (const [i, layer] of layers.cross_anchors.entries()) {
    paths.push(...unverifiedSigners(`cross_anchors[${i}]`, layer, bundle.cross_anchors[i]!));
  }
  if (layers.witnessed !== undefined && layers.witnessed.status !== "verified") {
    paths.push("witnessed");
  }
  for (const [i, { bound, service }] of layers.external_anchors.anchors.entries()) {
    const anchor = `external_anchors[${i}]`;
    const names = [...UNVERIFIED_ANCHOR_FIELDS, ...(service === undefined ? [] : ["service"])];
    if (!bound) paths.push(anchor);
    else paths.push(...names.map((name) => `${anchor}.${name}`));
  }
  return paths;
}

/** Members of a bound external anchor that are not verified (E6). */
const UNVERIFIED_ANCHOR_FIELDS = [
  "provider",
  "status",
  "timestamp",
  "tree_head.timestamp",
  "proof",
] as const;

/** The path of a layer that is not verified, else those of its signatures by unknown witnesses. */
function unverifiedSigners(
  path: string,
  layer: SignedLayer,
  set: SignatureSet,
  setAt = "",
): string[] {
  if (layer.status !== "verified") return [path];
  if (!isEd25519Set(set)) return [];
  const unknown = new Set(layer.signatures?.unknown);
  return set.signatures.flatMap(({ witness_id }, i) =>
    unknown.has(witness_id) ? [`${path}${setAt}.signatures[${i}]`] : []
  );
}

/** The results of the layers that are verified before. */
interface WitnessedLeaf {
  readonly sequence: number;
  /** Absent if the batch is not verified. */
  readonly hash: Bytes | undefined;
}

/** The layer. It does not count foreign witnesses: see `witnessed_policy.ts`. */
async function verifyWitnessed(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  { checkpoint, inclusion_path }: Required<ProofBundle>["witnessed"],
  leaf: WitnessedLeaf,
): Promise<WitnessedLayer> {
  if (leaf.hash === undefined) { // W1
    return { status: "not_checked", reason: "lower_layer_unverified" };
  }
  const result = await verifyCheckpoint(crypto, network, checkpoint); // W2
  const { head: { tree_size: size, root_hash }, verified, required, signers } = result;
  const signatures = { verified, required, signers, unknown: [] };
  const failed = (reason: VerifyReason, field: string): WitnessedLayer => ({
    status: "failed",
    reason,
    field: `witnessed.${field}`,
    signatures,
  });
  if (!result.valid) return failed(result.reason!, "checkpoint");
  const { sequence: index, hash: leafHash } = leaf;
  if (index >= size) return failed("leaf_beyond_tree", "checkpoint"); // W3
  const path = inclusion_path.map((hash) => fromHex(hash));
  const root = rootFromInclusion(crypto.kernels, { leafHash, index, size, path });
  if (root === undefined || !equalBytes(root, fromHex(root_hash))) { // W4
    return failed("inclusion_invalid", "inclusion_path");
  }
  const { log = false, witnesses = [] } = result.mlDsa ?? {};
  const mlDsa = [...(log ? [result.head.network_id] : []), ...witnesses];
  return {
    status: "verified",
    tree_size: size,
    signatures,
    ...(mlDsa.length > 0 && { ml_dsa: mlDsa }),
  };
}

/**
 * Binds external anchors to a bundle's batch (E1 to E6 of verification.md "Bundle: inputs, checks,
 * results"): the digest is a checkpoint's, whose tree contains the batch's tree. The provider's proof
 * of the digest is not verified here. `head` is the batch's tree head; `undefined` if it is not
 * verified.
 */
export function bindExternalAnchors(
  kernels: Hashing,
  anchors: ProofBundle["external_anchors"],
  head: TreeHead | undefined,
): ExternalAnchorSummary {
  const bindings = anchors.map((anchor) => {
    const failure = checkBinding(kernels, anchor, head);
    const { provider, service } = anchor;
    return {
      provider,
      ...(service !== undefined && { service }),
      bound: failure === undefined,
      ...failure,
    };
  });
  const present = bindings.filter((binding) => binding.bound).length;
  return { present, unbound: bindings.length - present, anchors: bindings };
}

/** `anchor.digest` covers size and root of the tree head, but not its time. */
function checkBinding(
  kernels: Hashing,
  anchor: ProofBundle["external_anchors"][number],
  head: TreeHead | undefined,
): Failure | undefined {
  if (head === undefined) return { reason: "lower_layer_unverified" }; // E1
  const anchored = anchor.tree_head;
  if (anchored.network_id !== head.network_id) { // E2
    return { reason: "network_mismatch", field: "tree_head.network_id" };
  }
  if (hexOf(kernels.sha256(utf8(encodeCheckpointBody(anchored)))) !== anchor.digest) { // E3
    return { reason: "digest_mismatch", field: "digest" };
  }
  if (anchored.tree_size < head.tree_size) { // E4
    return { reason: "anchor_precedes_batch", field: "tree_head.tree_size" };
  }
  return isPrefix(kernels, head, anchored, anchor.consistency_path) // E5
    ? undefined
    : { reason: "consistency_invalid", field: "consistency_path" };
}
