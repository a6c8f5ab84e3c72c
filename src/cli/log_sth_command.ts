/**
 * `log sth`: the latest signed tree head, or the one of a size.
 *
 * @module
 */

import type { SignedTreeHead } from "../format/tree_head.ts";
import { verifySignedTreeHead } from "../verify/tree_head.ts";
import type { CommandContext } from "./command_context.ts";
import { headLines, logReport } from "./log_report.ts";
import { trustedNetwork } from "./trusted_network.ts";

export interface LogSthOptions {
  /** The latest when absent. */
  readonly treeSize: number | undefined;
  readonly verify: boolean;
  readonly networkConfig: string | undefined;
}

/** With `verify` exits 1 unless the head is signed, of the size asked for, and of one log. */
export async function runLogSth(options: LogSthOptions, context: CommandContext): Promise<number> {
  const { text, value: sth } = await context.gateway.sth(options.treeSize);
  if (!options.verify) {
    context.output.document(text, [...headLines(sth), "Not verified (--verify)."]);
    return 0;
  }
  const trust = { networkConfig: options.networkConfig, online: false, isAnswer: true };
  const trusted = await trustedNetwork(context, trust, sth.tree_head.network_id);
  const outcome = await verifySignedTreeHead(context.crypto, trusted.network, sth);
  return await logReport(context, trusted, {
    member: { sth },
    lines: headLines(sth),
    outcome: outcome.valid ? checkSize(sth, options.treeSize) ?? outcome : outcome,
    count: outcome,
    head: sth,
    latest: options.treeSize === undefined ? "tree_head.tree_size" : undefined,
  });
}

function checkSize({ tree_head: head }: SignedTreeHead, asked: number | undefined) {
  if (asked === undefined || head.tree_size === asked) return undefined;
  return { valid: false, reason: "tree_size_mismatch", field: "tree_head.tree_size" } as const;
}
