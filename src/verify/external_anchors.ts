/**
 * Which external anchors are bound to a bundle's batch (protocol.md "Resources"): the digest is
 * that of a
 * checkpoint, and the batch's tree is a prefix of that checkpoint's. What the provider says about
 * the digest is not verified here.
 *
 * @module
 */

import { hexOf, utf8 } from "../bytes.ts";
import type { Hashing } from "../crypto/hashing.ts";
import type { ExternalAnchor } from "../format/bundle.ts";
import { encodeCheckpointBody, type TreeHead } from "../format/tree_head.ts";
import { isPrefix } from "./merkle_checks.ts";
import type { Failure } from "./reasons.ts";
import type { ExternalAnchorSummary } from "./verdict.ts";

/** Binds `anchors` to `head`, the batch's verified tree head; none when it is not verified. */
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

/** `anchor.digest` commits to size and root, not to a time: that of its tree head is unsigned. */
function checkBinding(
  kernels: Hashing,
  anchor: ExternalAnchor,
  head: TreeHead | undefined,
): Failure | undefined {
  if (head === undefined) return { reason: "lower_layer_unverified" };
  const anchored = anchor.tree_head;
  if (anchored.network_id !== head.network_id) {
    return { reason: "network_mismatch", field: "tree_head.network_id" };
  }
  if (hexOf(kernels.sha256(utf8(encodeCheckpointBody(anchored)))) !== anchor.digest) {
    return { reason: "digest_mismatch", field: "digest" };
  }
  if (anchored.tree_size < head.tree_size) {
    return { reason: "anchor_precedes_batch", field: "tree_head.tree_size" };
  }
  return isPrefix(kernels, head, anchored, anchor.consistency_path)
    ? undefined
    : { reason: "consistency_invalid", field: "consistency_path" };
}
