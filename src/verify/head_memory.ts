/**
 * What a client that remembers the last tree head it saw can conclude from another one. Two
 * threshold-signed heads of one size with different roots are transferable evidence of a fork.
 *
 * @module
 */

import type { NetworkConfiguration } from "../format/network.ts";
import type { CheckpointBody, SignedTreeHead } from "../format/tree_head.ts";
import { isPrefix } from "./merkle_checks.ts";
import { type SignedOutcome, unlessFailed } from "./signed_outcome.ts";
import { verifySignedTreeHead } from "./tree_head.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** How a head stands to the remembered one, by size and root alone. */
export type HeadRelation = "same" | "fork" | "larger" | "older" | "other_network";

/** A checked relation. `valid` when the head is signed and both can be of one log. */
export interface GrowthResult extends SignedOutcome {
  /** Absent when the head itself is not verified: then it says nothing. */
  readonly relation?: HeadRelation;
}

/** Compares `seen` to the `known` head; times play no part. */
export function compareHeads(known: CheckpointBody, seen: CheckpointBody): HeadRelation {
  if (seen.network_id !== known.network_id) return "other_network";
  if (seen.tree_size > known.tree_size) return "larger";
  if (seen.tree_size < known.tree_size) return "older";
  return seen.root_hash === known.root_hash ? "same" : "fork";
}

/**
 * Verifies `seen`, and by `path` (RFC 9162 consistency, from the smaller size to the larger; empty
 * for equal sizes) that it and the `known` head are of one log. A caller replaces what it remembers
 * when the relation is `larger` and the result valid. A path that does not verify is no evidence of
 * a fork: anyone can damage one.
 */
export async function checkGrowth(
  crypto: VerifierCrypto,
  network: NetworkConfiguration,
  { known, seen }: { readonly known: CheckpointBody; readonly seen: SignedTreeHead },
  path: readonly string[],
): Promise<GrowthResult> {
  const outcome = await verifySignedTreeHead(crypto, network, seen);
  if (!outcome.valid) return outcome;
  const relation = compareHeads(known, seen.tree_head);
  if (relation === "fork") {
    return { ...unlessFailed(outcome, { reason: "head_forked", field: "tree_head" }), relation };
  }
  if (relation === "other_network") {
    const field = "tree_head.network_id";
    return { ...unlessFailed(outcome, { reason: "network_mismatch", field }), relation };
  }
  const [first, second] = relation === "older" ? [seen.tree_head, known] : [known, seen.tree_head];
  // RFC 9162 defines no proof from an empty tree, which is a prefix of every tree.
  const consistent = first.tree_size === 0
    ? path.length === 0
    : isPrefix(crypto.kernels, first, second, path);
  if (consistent) return { ...outcome, relation };
  const field = "consistency_path";
  return { ...unlessFailed(outcome, { reason: "consistency_invalid", field }), relation };
}
