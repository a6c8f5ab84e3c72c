/**
 * Verifies a signed tree head (H1 to H6 of verification.md "Checks of the other resources", and L15).
 *
 * @module
 */

import { type Bytes, utf8 } from "../../base/bytes.ts";
import { headReceiptMessage } from "../format/receipt_message.ts";
import { parseVkey } from "../format/note_key.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type SignedTreeHead,
} from "../format/tree_head.ts";
import { checkEnd, type FollowedNetwork, signersOfHead } from "./followed_network.ts";
import type { Failure } from "./reasons.ts";
import {
  rejectedUncounted,
  type SignedOutcome,
  signedOutcome,
  unlessFailed,
} from "./signed_outcome.ts";
import { type SigningNetwork, verifiesAsLog, verifyThreshold } from "./threshold.ts";
import type { ThresholdCrypto } from "./verifier_crypto.ts";

/** SHA-256 of the empty string (RFC 9162 section 2.1.1). */
const EMPTY_ROOT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Verifies `sth`, the result of `parseSignedTreeHead`, against a pinned `network`. */
export async function verifySignedTreeHead(
  crypto: ThresholdCrypto,
  network: FollowedNetwork,
  sth: SignedTreeHead,
): Promise<SignedOutcome> {
  const head = sth.tree_head;
  if (head.network_id !== network.id) { // H1
    return rejectedUncounted(network, {
      reason: "network_mismatch",
      field: "tree_head.network_id",
    });
  }
  if (head.tree_size === 0 && head.root_hash !== EMPTY_ROOT) { // H2
    return rejectedUncounted(network, { reason: "empty_root_wrong", field: "tree_head.root_hash" });
  }
  const signers = signersOfHead(network, head.tree_size);
  if (signers === undefined) { // L14
    return rejectedUncounted(network, { reason: "log_ended", field: "tree_head.tree_size" });
  }
  const message = utf8(encodeCosignatureMessage(head)); // H3
  const outcome = signedOutcome(await verifyThreshold(crypto, signers, message, sth));
  if (!outcome.valid) return outcome;
  return unlessFailed(outcome, checkEnd(network, head) ?? await checkLog(crypto, signers, sth)); // L15
}

/** H5 and H6. If no log key is pinned, the signatures are unauthenticated. */
async function checkLog(
  crypto: ThresholdCrypto,
  { log_vkey: vkey }: SigningNetwork,
  { tree_head: head, log_signature, receipt_signature }: SignedTreeHead,
): Promise<Failure | undefined> {
  if (vkey === undefined) return undefined;
  const failed = async (field: string, message: Bytes, signature: string | undefined) =>
    signature !== undefined && !await verifiesAsLog(crypto, vkey, message, signature)
      ? { reason: "log_signature_invalid", field } as const
      : undefined;
  const receiptText = headReceiptMessage(parseVkey(vkey).publicKey, head);
  return await failed("log_signature", utf8(encodeCheckpointBody(head)), log_signature) ??
    await failed("receipt_signature", receiptText, receipt_signature);
}
