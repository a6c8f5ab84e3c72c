/**
 * `log consistency`: that the tree of one published size is a prefix of another's.
 *
 * @module
 */

import { verifyConsistencyProof } from "../verify/log_proofs.ts";
import type { CommandContext } from "./command_context.ts";
import { headLines, logReport } from "./log_report.ts";
import { trustedNetwork } from "./trusted_network.ts";

export interface LogConsistencyOptions {
  readonly first: number;
  readonly second: number;
  readonly verify: boolean;
  readonly networkConfig: string | undefined;
}

/** With `verify` exits 1 unless both heads are signed and the proof is of the sizes asked for. */
export async function runLogConsistency(
  options: LogConsistencyOptions,
  context: CommandContext,
): Promise<number> {
  const { first, second } = options;
  const { text, value: proof } = await context.gateway.consistency(first, second);
  const lines = [
    ...headLines(proof.first_sth).map((line) => `first ${line}`),
    ...headLines(proof.second_sth).map((line) => `second ${line}`),
    ...proof.consistency_path.map((node, i) => `consistency path ${i}: ${node}`),
  ];
  if (!options.verify) {
    context.output.document(text, [...lines, "Not verified (--verify)."]);
    return 0;
  }
  const trust = { networkConfig: options.networkConfig, online: false, isAnswer: true };
  const id = proof.second_sth.tree_head.network_id;
  const trusted = await trustedNetwork(context, trust, id);
  const outcome = await verifyConsistencyProof(context.crypto, trusted.network, proof, {
    first,
    second,
  });
  return await logReport(context, trusted, {
    member: { consistency_proof: proof },
    lines,
    outcome,
    count: outcome.second,
    head: proof.second_sth,
  });
}
