/**
 * Compares a tree head with a remembered one (G1 to G5 of verification.md "Checks of the other
 * resources"). Two signed heads of one size with different roots are evidence of a fork for anyone.
 *
 * @module
 */

import type { CheckpointBody, SignedTreeHead } from "../format/tree_head.ts";
import type { FollowedNetwork } from "./followed_network.ts";
import { isPrefix } from "./merkle_checks.ts";
import { type SignedOutcome, unlessFailed } from "./signed_outcome.ts";
import { verifySignedTreeHead } from "./tree_head.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** The relation of a head to the remembered one, by network, size and root. */
export type HeadRelation = "same" | "fork" | "larger" | "older" | "other_network";

/** A checked relation. `valid` if the head is signed and both are of one log. */
export interface GrowthResult extends SignedOutcome {
  /** Absent if the head is not verified. */
  readonly relation?: HeadRelation;
}

/** Compares `seen` with the `known` head. Times are ignored. */
export function compareHeads(known: CheckpointBody, seen: CheckpointBody): HeadRelation {
  if (seen.network_id !== known.network_id) return "other_network";
  if (seen.tree_size > known.tree_size) return "larger";
  if (seen.tree_size < known.tree_size) return "older";
  return seen.root_hash === known.root_hash ? "same" : "fork";
}

/**
 * Verifies `seen`, and that it and the `known` head are of one log. `path` is an RFC 9162 consistency
 * path from the smaller tree to the larger, empty for equal sizes. A caller replaces the remembered
 * head if the relation is `larger` and the result valid. A path that does not verify is no evidence
 * of a fork, because anyone can damage it.
 */
export async function checkGrowth(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  { known, seen }: { readonly known: CheckpointBody; readonly seen: SignedTreeHead },
  path: readonly string[],
): Promise<GrowthResult> {
  const outcome = await verifySignedTreeHead(crypto, network, seen);
  if (!outcome.valid) return outcome; // G1
  const relation = compareHeads(known, seen.tree_head);
  if (relation === "fork") { // G3
    return { ...unlessFailed(outcome, { reason: "head_forked", field: "tree_head" }), relation };
  }
  if (relation === "other_network") { // G2
    const field = "tree_head.network_id";
    return { ...unlessFailed(outcome, { reason: "network_mismatch", field }), relation };
  }
  const [first, second] = relation === "older" ? [seen.tree_head, known] : [known, seen.tree_head];
  // G4. RFC 9162 defines no proof from an empty tree, which is a prefix of every tree.
  const consistent = first.tree_size === 0
    ? path.length === 0
    : isPrefix(crypto.kernels, first, second, path);
  if (consistent) return { ...outcome, relation };
  const field = "consistency_path";
  return { ...unlessFailed(outcome, { reason: "consistency_invalid", field }), relation };
}
