/**
 * Verifies a signed tree head: the threshold signed its cosignature message (protocol.md "Signed
 * messages").
 *
 * @module
 */

import { hexOf, utf8 } from "../bytes.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { encodeCosignatureMessage, type SignedTreeHead } from "../format/tree_head.ts";
import { emptyRoot } from "../merkle/tree.ts";
import { rejectedUncounted, type SignedOutcome, signedOutcome } from "./signed_outcome.ts";
import { verifyThreshold } from "./threshold.ts";
import type { ThresholdCrypto } from "./verifier_crypto.ts";

/** Verifies `sth`, as `parseSignedTreeHead` makes it, against a pinned `network`. */
export async function verifySignedTreeHead(
  crypto: ThresholdCrypto,
  network: NetworkConfiguration,
  sth: SignedTreeHead,
): Promise<SignedOutcome> {
  const head = sth.tree_head;
  if (head.network_id !== network.id) {
    return rejectedUncounted(network, {
      reason: "network_mismatch",
      field: "tree_head.network_id",
    });
  }
  if (head.tree_size === 0 && head.root_hash !== hexOf(emptyRoot(crypto.kernels))) {
    return rejectedUncounted(network, {
      reason: "empty_root_wrong",
      field: "tree_head.root_hash",
    });
  }
  const message = utf8(encodeCosignatureMessage(head));
  return signedOutcome(await verifyThreshold(crypto, network, message, sth));
}
