/**
 * Reports of the `log` commands' `--verify`.
 *
 * @module
 */

import type { SignedTreeHead } from "../format/tree_head.ts";
import type { Outcome } from "../verify/reasons.ts";
import type { SignatureCount } from "../verify/threshold.ts";
import { NOT_PROVEN } from "../verify/verdict.ts";
import type { CommandContext } from "./command_context.ts";
import { timeText } from "./output.ts";
import { describeMemory, type HeadMemory, memoryJson, rememberHead } from "./remembered_head.ts";
import { describeSource, sourceJson, type TrustedNetwork } from "./trusted_network.ts";
import { closingLines, describeCount, describeFailure } from "./verdict_report.ts";

/** What was verified, and how it came out. */
export interface LogFindings {
  /** The resource, under the name that it has in a JSON report. */
  readonly member: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
  readonly outcome: Outcome;
  /** The signatures of the (later) tree head. */
  readonly count: SignatureCount;
  /** The tree head to hold against memory. */
  readonly head: SignedTreeHead;
  /** Path of the head's size where the latest was asked for: it cannot be older than memory. */
  readonly latest?: string | undefined;
}

/** What a tree head says, one line each. */
export function headLines({ tree_head: head }: SignedTreeHead): string[] {
  return [
    `network: ${head.network_id}`,
    `tree size: ${head.tree_size}`,
    `root hash: ${head.root_hash}`,
    `time: ${timeText(head.timestamp)}`,
  ];
}

/** Holds a verified head against memory, prints, and answers the exit code. */
export async function logReport(
  context: CommandContext,
  trusted: TrustedNetwork,
  findings: LogFindings,
): Promise<number> {
  const { member, lines, count, head } = findings;
  const { output } = context;
  const memory = findings.outcome.valid
    ? await rememberHead(context, trusted, head, { mayAsk: true })
    : undefined;
  const outcome = checkLatest(findings, memory) ?? findings.outcome;
  const { valid, reason, field } = outcome;
  const sentence = memory && describeMemory(memory);
  output.result({
    valid,
    ...(reason !== undefined && { reason }),
    ...(field !== undefined && { field }),
    ...member,
    verified_signatures: count.verified,
    required_signatures: count.required,
    signers: count.signers,
    configuration: sourceJson(trusted),
    ...(memory !== undefined && { remembered_head: memoryJson(memory) }),
    not_proven: NOT_PROVEN,
  }, [
    valid
      ? { text: "VALID", accent: "green" }
      : { text: describeFailure(outcome, "INVALID"), accent: "red" },
    ...lines,
    `configuration: ${describeSource(trusted.source)}`,
    `tree head: ${describeCount(count)}`,
    ...(sentence === undefined ? [] : [`tree head: ${sentence}`]),
    ...closingLines(),
  ]);
  return valid ? 0 : 1;
}

/** A gateway that was restored from an old copy, or hides what it has shown, shows itself here. */
function checkLatest(
  { latest: field }: LogFindings,
  memory: HeadMemory | undefined,
): Outcome | undefined {
  if (field === undefined || memory?.relation !== "precedes") return undefined;
  return { valid: false, reason: "head_outdated", field };
}
