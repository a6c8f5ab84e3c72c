/**
 * `log proof`: that the attestation of a hash is in the log.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { SignedAttestation } from "../format/bundle.ts";
import { verifyInclusionProof } from "../verify/log_proofs.ts";
import type { CommandContext } from "./command_context.ts";
import { headLines, logReport } from "./log_report.ts";
import { trustedNetwork } from "./trusted_network.ts";

export interface LogProofOptions {
  readonly hash: string;
  /** A published size; the latest when absent. */
  readonly treeSize: number | undefined;
  readonly verify: boolean;
  readonly networkConfig: string | undefined;
}

/**
 * With `verify` exits 1 unless the tree head and the attestation are signed, and the leaf rebuilt
 * from the attestation of this hash is in the tree.
 */
export async function runLogProof(
  options: LogProofOptions,
  context: CommandContext,
): Promise<number> {
  const { gateway } = context;
  const { hash } = options;
  const treeSize = options.treeSize ?? (await gateway.sth(undefined)).value.tree_head.tree_size;
  const { text, value: proof } = await gateway.inclusion(hash, treeSize);
  const lines = [
    `hash: ${proof.hash}`,
    `leaf hash: ${proof.leaf_hash}`,
    `leaf index: ${proof.leaf_index}`,
    ...proof.inclusion_path.map((node, i) => `inclusion path ${i}: ${node}`),
    ...headLines(proof.sth),
  ];
  if (!options.verify) {
    context.output.document(text, [...lines, "Not verified (--verify)."]);
    return 0;
  }
  const trust = { networkConfig: options.networkConfig, online: false, isAnswer: true };
  const trusted = await trustedNetwork(context, trust, proof.sth.tree_head.network_id);
  // A proof names a leaf: only the attestation, rebuilt, shows that the leaf is about this hash.
  const signedAttestation = await attestationOf(context, hash);
  const outcome = await verifyInclusionProof(context.crypto, trusted.network, proof, {
    hash,
    treeSize,
    signedAttestation,
  });
  return await logReport(context, trusted, {
    member: { inclusion_proof: proof },
    lines,
    outcome,
    count: outcome,
    head: proof.sth,
    latest: options.treeSize === undefined ? "sth.tree_head.tree_size" : undefined,
  });
}

async function attestationOf(
  { gateway }: CommandContext,
  hash: string,
): Promise<SignedAttestation> {
  const { value: job } = await gateway.job(hash, 0);
  if (job.signed_attestation !== undefined) return job.signed_attestation;
  throw new CountersignError(
    "not_confirmed",
    `Cannot verify proof of ${hash}: its signed attestation required, found job ${job.status}`,
  );
}
