/**
 * Verifies the batch layer (B3 to B10 of verification.md "Bundle: inputs, checks, results"): the
 * attestation's leaf is in the tree of a verified tree head, at its sequence.
 *
 * @module
 */

import { type Bytes, hexOf } from "../../base/bytes.ts";
import type { Attestation } from "../format/attestation.ts";
import type { Batch, BatchInclusion } from "../format/bundle.ts";
import type { FollowedNetwork } from "./followed_network.ts";
import { checkInclusion } from "./merkle_checks.ts";
import { type Failure, firstMismatch, within } from "./reasons.ts";
import { type SignedOutcome, unlessFailed } from "./signed_outcome.ts";
import { verifySignedTreeHead } from "./tree_head.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/**
 * Fields of a batch that no signature covers (B10). B5 and B6 limit them, but do not fix where the
 * batch begins.
 */
export const INFORMATIVE_BATCH_FIELDS = [
  "batch_inclusion.batch.first_index",
  "batch_inclusion.batch.attestation_count",
  "batch_inclusion.batch.period_start",
] as const;

/** A verified attestation and its leaf hash. */
export interface VerifiedLeaf {
  readonly attestation: Attestation;
  readonly leafHash: Bytes;
}

/**
 * Verifies that `leaf` is in the log; the counted signatures are the tree head's. Size and root come
 * from the tree head alone; members that repeat a value must equal it.
 */
export async function verifyBatchInclusion(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  inclusion: BatchInclusion,
  leaf: VerifiedLeaf,
): Promise<SignedOutcome> {
  const counted = await verifySignedTreeHead(crypto, network, inclusion.sth);
  const sequence = leaf.attestation.sequence;
  const failure = within("sth", counted) ?? checkRepeated(network, inclusion, leaf) ??
    checkRange(inclusion.batch, sequence) ??
    within("merkle_proof", {
      valid: false,
      ...checkInclusion(
        crypto.kernels,
        { leafHash: leaf.leafHash, index: sequence },
        inclusion.merkle_proof.inclusion_path,
        inclusion.sth.tree_head,
      ),
    });
  return unlessFailed(counted, within("batch_inclusion", { valid: false, ...failure }));
}

/** B4. */
function checkRepeated(
  network: FollowedNetwork,
  { batch, merkle_proof: proof, sth }: BatchInclusion,
  { attestation, leafHash }: VerifiedLeaf,
): Failure | undefined {
  const head = sth.tree_head;
  return firstMismatch([
    ["merkle_proof.hash", proof.hash, attestation.hash],
    ["merkle_proof.leaf_hash", proof.leaf_hash, hexOf(leafHash)],
    ["merkle_proof.leaf_index", proof.leaf_index, attestation.sequence],
    ["merkle_proof.tree_size", proof.tree_size, head.tree_size],
    ["merkle_proof.root_hash", proof.root_hash, head.root_hash],
    ["merkle_proof.batch_id", proof.batch_id, head.tree_size],
    ["batch.id", batch.id, head.tree_size],
    ["batch.network_id", batch.network_id, network.id],
    ["batch.root_hash", batch.root_hash, head.root_hash],
    ["batch.tree_size", batch.tree_size, head.tree_size],
    ["batch.period_end", batch.period_end, head.timestamp],
  ]);
}

/** B5 and B6: the informative fields do not contradict one another or the leaf. */
function checkRange(batch: Batch, sequence: number): Failure | undefined {
  if (batch.attestation_count !== batch.tree_size - batch.first_index) {
    return { reason: "batch_count_wrong", field: "batch.attestation_count" };
  }
  if (batch.first_index > sequence) {
    return { reason: "batch_range_wrong", field: "batch.first_index" };
  }
  return undefined;
}
