/**
 * What makes a peer's answer a cross-anchor of our head. It is stored and handed out to people who
 * verify it, so it has to be one by the rules that they go by (protocol.md "Resources").
 *
 * @module
 */

import { utf8 } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { type NetworkConfiguration, publicKeysOf } from "../format/network.ts";
import { encodeCosignatureMessage, type TreeHead } from "../format/tree_head.ts";
import { VERIFY_REASONS } from "../verify/reasons.ts";
import { verifyThreshold } from "../verify/threshold.ts";
import type { SignatureCrypto } from "../verify/verifier_crypto.ts";
import type { Peer, PeerCosignature } from "./ports.ts";
import { MAX_CLOCK_DIFFERENCE_SECONDS } from "./time_rule.ts";

/** What an answer is held against. */
export interface ExpectedCrossAnchor {
  readonly own: NetworkConfiguration;
  readonly peer: Peer;
  /** The head that was sent. */
  readonly head: TreeHead;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * Requires `cosignature` to be over the head that was sent, at about this time, by as many witnesses
 * of the peer's pinned configuration as we want; `peer_refused`.
 */
export async function checkCrossAnchor(
  crypto: SignatureCrypto,
  { own, peer, head, now }: ExpectedCrossAnchor,
  { treeHead, signatures }: PeerCosignature,
): Promise<void> {
  const { network, minWitnesses } = peer;
  const isSame = treeHead.network_id === head.network_id &&
    treeHead.tree_size === head.tree_size && treeHead.root_hash === head.root_hash;
  if (!isSame) throw refused(network, "the head that was sent", "another");
  // The time says when the peer's witnesses signed; one of a week ago is an answer to another request.
  if (Math.abs(treeHead.timestamp - now) > MAX_CLOCK_DIFFERENCE_SECONDS) {
    throw refused(
      network,
      `a time within ${MAX_CLOCK_DIFFERENCE_SECONDS} s of ${now}`,
      String(treeHead.timestamp),
    );
  }
  // A witness that is ours as well witnesses nothing for others.
  if (!publicKeysOf(own).isDisjointFrom(publicKeysOf(network))) {
    throw refused(network, "keys that are none of ours", "a shared one");
  }
  const message = utf8(encodeCosignatureMessage(treeHead));
  const { verified, reason } = await verifyThreshold(crypto, network, message, signatures);
  if (reason !== undefined) {
    throw refused(network, "its threshold's signatures", `${reason}: ${VERIFY_REASONS[reason]}`);
  }
  if (verified < minWitnesses) {
    throw refused(network, `signatures by ${minWitnesses} witnesses`, String(verified));
  }
}

function refused({ id }: NetworkConfiguration, required: string, found: string): CountersignError {
  return new CountersignError(
    "peer_refused",
    `Cannot use cross-anchor by ${id}: ${required} required, found ${found}`,
  );
}
