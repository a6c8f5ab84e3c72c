/**
 * `bundle` and `proof`: print the gateway's proofs about a hash. Nothing is verified.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { defineCommand } from "./define_command.ts";
import { hashArgument } from "./options.ts";

/** Prints the bundle as received, in either format. */
export const bundle = defineCommand("bundle", {
  options: { hash: hashArgument },
  async run({ hash }, { gateway, output }) {
    const { text, value } = await gateway.bundle(hash);
    requireHash(hash, value.signed_attestation.attestation.hash);
    output.document(text);
    return 0;
  },
});

/** Prints the Merkle proof of a hash in its batch's tree. */
export const proof = defineCommand("proof", {
  options: { hash: hashArgument },
  async run({ hash }, { gateway, output }) {
    const { text, value: proof } = await gateway.merkleProof(hash);
    requireHash(hash, proof.hash);
    output.document(text, [
      `hash: ${proof.hash}`,
      `leaf hash: ${proof.leaf_hash}`,
      `leaf index: ${proof.leaf_index}`,
      `tree size: ${proof.tree_size}`,
      `root hash: ${proof.root_hash}`,
      `batch: ${proof.batch_id}`,
      ...proof.inclusion_path.map((node, i) => `inclusion path ${i}: ${node}`),
      "Not verified: this needs the signed tree head and attestation (verify-proof, log proof).",
    ]);
    return 0;
  },
});

/** Requires the answer to be about the requested hash; `proof_refused`. */
export function requireHash(requested: string, found: string): void {
  if (requested === found) return;
  throw new CountersignError(
    "proof_refused",
    `Cannot use the gateway's answer: it is about hash ${found} instead of ${requested}`,
  );
}
