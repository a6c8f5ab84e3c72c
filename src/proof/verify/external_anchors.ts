/**
 * Binds external anchors to a bundle's batch (E1 to E6 of verification.md "Bundle: inputs, checks,
 * results"): the digest is a checkpoint's, whose tree contains the batch's tree. The provider's proof
 * of the digest is not verified here.
 *
 * @module
 */

import { hexOf, utf8 } from "../../base/bytes.ts";
import type { Hashing } from "../crypto/hashing.ts";
import type { ExternalAnchor } from "../format/bundle.ts";
import { encodeCheckpointBody, type TreeHead } from "../format/tree_head.ts";
import { isPrefix } from "./merkle_checks.ts";
import type { Failure } from "./reasons.ts";
import type { ExternalAnchorSummary } from "./verdict.ts";

/** Binds `anchors` to `head`, the batch's tree head; `undefined` if it is not verified. */
export function bindExternalAnchors(
  kernels: Hashing,
  anchors: readonly ExternalAnchor[],
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
  anchor: ExternalAnchor,
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
