/**
 * Counts the foreign witnesses that cosigned the checkpoint in a bundle, by a policy that the caller pins (verification.md "Bundle: inputs, checks, results").
 *
 * @module
 */

import type { LogPolicy } from "../format/log_policy.ts";
import { parseVkey } from "../format/note_key.ts";
import { type FollowedNetwork, signersOfHead } from "./followed_network.ts";
import { verifyPolicyCheckpoint } from "./policy_checkpoint.ts";
import type { VerifyReason } from "./reasons.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

export interface PolicyVerdict {
  readonly met: boolean;
  /** By the policy's names. */
  readonly cosigners: readonly string[];
  readonly reason?: VerifyReason;
}

/**
 * `checkpoint` is that of a verified layer, and has `size`. The log's key is that of `network`, whatever
 * log lines the policy has.
 */
export async function countWitnessed(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  policy: LogPolicy,
  { checkpoint, size }: { readonly checkpoint: string; readonly size: number },
): Promise<PolicyVerdict> {
  const logKey = parseVkey(signersOfHead(network, size)!.log_vkey!);
  const result = await verifyPolicyCheckpoint(crypto, policy, checkpoint, [logKey]);
  const { valid, cosigners, reason } = result;
  const names = cosigners.map(({ name }) => name);
  return { met: valid, cosigners: names, ...(reason !== undefined && { reason }) };
}
