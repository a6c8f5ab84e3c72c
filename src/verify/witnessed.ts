/**
 * Verifies the checkpoint in a bundle that foreign witnesses may have cosigned (W1 to W5 of
 * verification.md "Bundle: inputs, checks, results").
 *
 * @module
 */

import { type Bytes, equalBytes, fromHex } from "../bytes.ts";
import type { ProofBundle } from "../format/bundle.ts";
import { rootFromInclusion } from "../merkle/proof.ts";
import type { FollowedNetwork } from "./followed_network.ts";
import { verifyCheckpoint } from "./note.ts";
import type { VerifyReason } from "./reasons.ts";
import type { WitnessedLayer } from "./verdict.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** The results of the layers that are verified before. */
export interface WitnessedLeaf {
  readonly sequence: number;
  /** Absent if the batch is not verified. */
  readonly hash: Bytes | undefined;
}

/** The layer. It does not count foreign witnesses: see `witnessed_policy.ts`. */
export async function verifyWitnessed(
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
    ...{ status: "failed", reason, field: `witnessed.${field}`, signatures },
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
    ...{ status: "verified", tree_size: size, signatures },
    ...(mlDsa.length > 0 && { ml_dsa: mlDsa }),
  };
}
