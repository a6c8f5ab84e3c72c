/**
 * Verifies that an entry is in any log, from a tlog-proof and a policy alone (steps 1 to
 * 7 of "tlog-proof" in verification.md "Checks of the other resources").
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../base/bytes.ts";
import type { LogPolicy } from "../format/log_policy.ts";
import type { TlogProof } from "../format/tlog_proof.ts";
import { rootFromInclusion } from "../merkle/proof.ts";
import { type PolicyCheckpoint, verifyPolicyCheckpoint } from "./policy_checkpoint.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/**
 * Whether the entry is in a tree that the log signed and the policy's quorum cosigned. Cosigners are named
 * only if the proof is valid.
 */
export type TlogProofResult = PolicyCheckpoint;

/** `malformed_text` for a checkpoint that cannot be read. `leafHash` is that of the entry, 32 bytes. */
export async function verifyTlogProof(
  crypto: VerifierCrypto,
  policy: LogPolicy,
  { index, path, checkpoint }: TlogProof,
  leafHash: Bytes,
): Promise<TlogProofResult> {
  const result = await verifyPolicyCheckpoint(crypto, policy, checkpoint); // 1 to 5
  const { head } = result;
  if (!result.valid) return { ...result, cosigners: [] };
  const { size, root } = head;
  if (index >= size) { // 6
    return { valid: false, reason: "leaf_beyond_tree", field: "index", head, cosigners: [] };
  }
  const found = rootFromInclusion(crypto.kernels, { leafHash, index, size, path });
  return found !== undefined && equalBytes(found, root) // 7
    ? result
    : { valid: false, reason: "inclusion_invalid", field: "path", head, cosigners: [] };
}
