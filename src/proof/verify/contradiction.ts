/**
 * Verifies evidence that a network signed two histories of its log (D1 to D7 of verification.md
 * "Checks of the other resources"). It needs only the pinned configuration of that network.
 *
 * @module
 */

import { type Bytes, bytesOfHex, equalBytes, HASH_LENGTH } from "../../base/bytes.ts";
import type { Hashing } from "../crypto/hashing.ts";
import type { ForkEvidence } from "../format/federation.ts";
import type { CheckpointBody } from "../format/tree_head.ts";
import { rootsFromConsistency } from "../merkle/proof.ts";
import { plainPath } from "../merkle/shown_root.ts";
import type { FollowedNetwork } from "./followed_network.ts";
import { verifyLoggedTreeHead } from "./logged_tree_head.ts";
import { type Failure, type Outcome, within } from "./reasons.ts";
import type { SignedOutcome } from "./signed_outcome.ts";
import type { ThresholdCrypto } from "./verifier_crypto.ts";

/**
 * What a consistency path proves about two heads: the second extends the first, or it extends another
 * tree of the same size, or nothing. A damaged path is no evidence, because anyone can damage it.
 */
export type GrowthFinding = "extends" | "contradicts" | "unproven";

/**
 * Judges `path` from `first` to `second`, whose tree is not smaller. The path is empty for equal sizes
 * and from an empty tree. Sizes and path fix two roots (RFC 9162 section 2.1.4.2). If the second root
 * is the second head's, the first root is that of the second tree's first leaves.
 */
export function judgeGrowth(
  kernels: Hashing,
  first: CheckpointBody,
  second: CheckpointBody,
  path: readonly Bytes[],
): GrowthFinding {
  const firstRoot = bytesOfHex(first.root_hash, HASH_LENGTH);
  const secondRoot = bytesOfHex(second.root_hash, HASH_LENGTH);
  if (firstRoot === undefined || secondRoot === undefined) return "unproven";
  if (first.tree_size === second.tree_size && path.length === 0) {
    return equalBytes(firstRoot, secondRoot) ? "extends" : "contradicts";
  }
  if (first.tree_size === 0 && path.length === 0) return "extends";
  const sizes = { first: first.tree_size, second: second.tree_size };
  const plain = plainPath(sizes.first, sizes.second, path);
  const roots = rootsFromConsistency(kernels, {
    ...sizes,
    firstRoot: plain.shownRoot ?? firstRoot,
    path: plain.path,
  });
  if (roots === undefined || !equalBytes(roots.second, secondRoot)) return "unproven";
  return equalBytes(roots.first, firstRoot) ? "extends" : "contradicts";
}

/** Whether a contradiction is proved. It has a reason exactly when it is not. */
export interface ContradictionResult extends Outcome {
  readonly first: SignedOutcome;
  readonly second: SignedOutcome;
}

/**
 * Verifies against the pinned configuration of the accused `network` that its threshold signed both
 * heads, and its log key where its signature is known, and that no log can have both. `found_at` is not
 * authenticated.
 */
export async function verifyContradiction(
  crypto: ThresholdCrypto,
  network: FollowedNetwork,
  contradiction: ForkEvidence,
): Promise<ContradictionResult> {
  const first = await verifyLoggedTreeHead(crypto, network, contradiction.first);
  const second = await verifyLoggedTreeHead(crypto, network, contradiction.second);
  const failure = checkOrigin(network, contradiction) ??
    within("first", first) ?? within("second", second) ??
    checkRoots(crypto.kernels, contradiction);
  return { valid: failure === undefined, ...failure, first, second };
}

/** D2. */
function checkOrigin(
  { id }: FollowedNetwork,
  { origin }: ForkEvidence,
): Failure | undefined {
  return origin === id ? undefined : { reason: "network_mismatch", field: "origin" };
}

/** D6. */
function checkRoots(
  kernels: Hashing,
  { first, second, path }: ForkEvidence,
): Failure | undefined {
  const finding = judgeGrowth(kernels, first.sth.tree_head, second.sth.tree_head, path);
  if (finding === "contradicts") return undefined;
  return { reason: "contradiction_unproven", field: "consistency_path" };
}
