/**
 * `proof`: the Merkle proof of a hash in its batch's tree.
 *
 * @module
 */

import { requireHash } from "./asked_hash.ts";
import type { CommandContext } from "./command_context.ts";

export interface ProofOptions {
  readonly hash: string;
}

/** Prints what the gateway answers; nothing is verified (see `verify-proof`, `log proof`). */
export async function runProof({ hash }: ProofOptions, context: CommandContext): Promise<number> {
  const { text, value: proof } = await context.gateway.merkleProof(hash);
  requireHash(hash, proof.hash);
  context.output.document(text, [
    `hash: ${proof.hash}`,
    `leaf hash: ${proof.leaf_hash}`,
    `leaf index: ${proof.leaf_index}`,
    `tree size: ${proof.tree_size}`,
    `root hash: ${proof.root_hash}`,
    `batch: ${proof.batch_id}`,
    ...proof.inclusion_path.map((node, i) => `inclusion path ${i}: ${node}`),
    "Not verified: a proof stands on a signed tree head and attestation (verify-proof, log proof).",
  ]);
  return 0;
}
