/**
 * Verifies a tree head that a network sends to a peer: the threshold and the log's key signed it (D3
 * to D5 of verification.md "Checks of the other resources").
 *
 * @module
 */

import { utf8 } from "../../base/bytes.ts";
import type { ShownTreeHead } from "../format/federation.ts";
import { parseVkey } from "../format/note_key.ts";
import { encodeCheckpointBody } from "../format/tree_head.ts";
import { type FollowedNetwork, signersOfHead } from "./followed_network.ts";
import { within } from "./reasons.ts";
import { type SignedOutcome, unlessFailed } from "./signed_outcome.ts";
import { verifySignedTreeHead } from "./tree_head.ts";
import type { ThresholdCrypto } from "./verifier_crypto.ts";

/**
 * Verifies who signed a head, against a pinned `network`, which must have the log's key if the head has
 * its signature. The roots with which epochs ended (L15) are not compared: another one is evidence, and has to be read.
 */
export async function verifyLoggedTreeHead(
  crypto: ThresholdCrypto,
  network: FollowedNetwork,
  { sth, logSignature }: ShownTreeHead,
): Promise<SignedOutcome> {
  const { links: _, ...signing } = network;
  const outcome = await verifySignedTreeHead(crypto, signing, sth);
  if (!outcome.valid) return unlessFailed(outcome, within("sth", outcome)); // D3
  if (logSignature === undefined) return outcome;
  // D4
  const vkey = signersOfHead(network, sth.tree_head.tree_size)?.log_vkey;
  if (vkey === undefined) return unlessFailed(outcome, { reason: "log_key_missing" });
  const body = utf8(encodeCheckpointBody(sth.tree_head));
  if (await crypto.ed25519(parseVkey(vkey).publicKey, body, logSignature)) return outcome; // D5
  return unlessFailed(outcome, { reason: "log_signature_invalid", field: "log_signature" });
}
