/**
 * Verifies a peer's cross-anchor of our head by the rules that clients apply to it (protocol.md
 * "Federation"), before it is stored and published.
 *
 * @module
 */

import { utf8 } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import { publicKeysOf } from "../../proof/format/network_check.ts";
import { isEd25519Set, type SignatureSet } from "../../proof/format/signature_set.ts";
import { encodeCosignatureMessage, type TreeHead } from "../../proof/format/tree_head.ts";
import { VERIFY_REASONS } from "../../proof/verify/reasons.ts";
import { verifyThreshold } from "../../proof/verify/threshold.ts";
import type { SignatureCrypto } from "../../proof/verify/verifier_crypto.ts";
import type { PeerCosignature } from "../../proof/format/federation.ts";
import type { Peer } from "./ports.ts";

/**
 * The largest difference between the clocks of two networks, in seconds. It also rejects an answer
 * that was made for an earlier request.
 */
export const MAX_CLOCK_DIFFERENCE_SECONDS = 300;

/** The request that an answer must match. */
export interface ExpectedCrossAnchor {
  readonly own: NetworkConfiguration;
  readonly peer: Peer;
  /** The head that was sent. */
  readonly head: TreeHead;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * Requires a cosignature of the head that was sent, with the present time, by at least `minWitnesses`
 * of the peer's pinned configuration; `peer_refused`.
 */
export async function checkCrossAnchor(
  crypto: SignatureCrypto,
  { own, peer, head, now }: ExpectedCrossAnchor,
  { treeHead, signatures }: PeerCosignature,
): Promise<void> {
  const { network, minWitnesses } = peer;
  const isSame = treeHead.network_id === head.network_id &&
    treeHead.tree_size === head.tree_size && treeHead.root_hash === head.root_hash;
  const refused = errorBuilder("peer_refused", `Cannot use cross-anchor by ${network.id}`);
  if (!isSame) throw refused("it is over another tree head than the one sent");
  if (Math.abs(treeHead.timestamp - now) > MAX_CLOCK_DIFFERENCE_SECONDS) {
    throw refused(
      `its time ${treeHead.timestamp} differs from ours (${now}) by more than ` +
        `${MAX_CLOCK_DIFFERENCE_SECONDS} s; check both clocks`,
    );
  }
  // Our own witnesses add no independent evidence.
  if (!publicKeysOf(own).isDisjointFrom(publicKeysOf(network))) {
    throw refused("its network shares a witness key with ours");
  }
  const message = utf8(encodeCosignatureMessage(treeHead));
  const { verified, reason } = await verifyThreshold(crypto, network, message, signatures);
  if (reason !== undefined) {
    throw refused(`${reason}: ${VERIFY_REASONS[reason]}`);
  }
  if (verified < minWitnesses) {
    throw refused(`${verified} of the required ${minWitnesses} witnesses signed it`);
  }
}

/**
 * `set` without signatures by ids that the pinned `network` does not have. No count includes them
 * (protocol.md "Signature schemes"), and stored they would let anyone fill the store and every bundle.
 */
export function knownSignatures(network: NetworkConfiguration, set: SignatureSet): SignatureSet {
  if (!isEd25519Set(set)) return { signature: set.signature, signers: set.signers };
  const ids = new Set(network.witnesses.map(({ id }) => id));
  return { signatures: set.signatures.filter(({ witness_id }) => ids.has(witness_id)) };
}
