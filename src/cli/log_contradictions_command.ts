/**
 * `log contradictions`: verifies evidence that a network signed two histories of its log, from the
 * gateway or a file, against the configuration of the accused network; or evidence against any log, by a
 * policy.
 *
 * @module
 */

import { hexOf } from "../base/bytes.ts";
import type { CryptoSuite } from "../proof/crypto/crypto_suite.ts";
import { CountersignError, hasCode } from "../base/errors.ts";
import { type LogHistories, parseLogHistories } from "../proof/format/log_histories.ts";
import { logKeysOf, policyOfNetwork } from "../logs/publishing/checkpoint_rule.ts";
import { verifyLogHistories } from "../proof/verify/log_histories.ts";
import {
  type ForkEvidence,
  parseContradictions,
  parseEvidence,
  type ShownTreeHead,
} from "../proof/format/federation.ts";
import { type ContradictionResult, verifyContradiction } from "../proof/verify/contradiction.ts";
import type { SuccessionConflict } from "../proof/format/succession_conflict.ts";
import type { TreeHead } from "../proof/format/tree_head.ts";
import type { LogPolicy } from "../proof/format/log_policy.ts";
import { type FollowedNetwork, signersOfHead } from "../proof/verify/followed_network.ts";
import { verifyConflict } from "../proof/verify/succession_conflict.ts";
import { NOT_PROVEN } from "../proof/verify/verdict.ts";
import { type CommandContext, ONLINE_PERMISSIONS } from "./command_context.ts";
import { readDocument, readLogPolicy, STDIN } from "./input_file.ts";
import { defineSubcommand, type ValuesOf } from "./define_command.ts";
import { FILE, optional } from "./options.ts";
import { type Line, timeText } from "./output.ts";
import {
  conflictJson,
  conflictLines,
  conflictsShown,
  type Finding,
  outcomeJson,
  outcomeText,
  type ShownConflict,
  type ShownEvidence,
  signedBothLines,
} from "./shown_successions.ts";
import { sourceJson, type TrustedNetwork, trustedNetwork } from "./trusted_network.ts";
import { closingLines, describeFailure } from "./verdict_report.ts";

const options = {
  file: optional(
    "--file",
    FILE,
    "Evidence as JSON, or - for standard input, instead of the gateway's list.",
  ),
  networkConfig: optional(
    "--network-config",
    FILE,
    "Configuration of the accused network, instead of a pinned one.",
  ),
  policy: optional(
    "--policy",
    FILE,
    "With --file: the policy of the accused log, which may be any log (c2sp.org/tlog-policy).",
  ),
};
type Options = ValuesOf<typeof options>;

type Evidence = ForkEvidence | SuccessionConflict;
type HeadFinding = Finding<ForkEvidence, ContradictionResult>;

const NOT_PROVEN_BY_EVIDENCE = [
  "which of the two histories others have seen",
  "whether the cause is fraud or a restored old copy",
  "when it was found: only the sender of the evidence vouches for that time",
  ...NOT_PROVEN,
];

/** Exits 1 if a contradiction is proved. */
export const logContradictions = defineSubcommand("log contradictions", {
  brief: "Verify evidence that a network, or any log, signed two histories",
  options,
  async run(values, context) {
    const histories = await historiesOf(values, context);
    if (histories !== undefined) return await reportHistories(values, context, histories);
    const evidence = await evidenceOf(values, context);
    const { networkConfig } = values;
    const named = networkConfig === undefined
      ? undefined
      : await trustedNetwork(context, { networkConfig, online: false }, undefined);
    const successions = values.file === undefined ? await conflictsShown(context, named) : [];
    const findings: HeadFinding[] = [];
    for (const one of evidence) {
      if ("path" in one) findings.push(await judge(context, named, one, verifyContradiction));
      else successions.push(await judge(context, named, one, verifyConflict));
    }
    const proved = [...findings, ...successions].filter(({ result }) => result?.valid).length;
    context.output.result({
      contradictions: findings.map(findingJson),
      ...(successions.length > 0 && { successions: successions.map(conflictJson) }),
      proved,
      not_proven: NOT_PROVEN_BY_EVIDENCE,
    }, reportLines);
    return proved > 0 ? 1 : 0;
  },
});

/** A file with two checkpoints of any log, as `monitor` and `mirror` keep it, if it is such a file. */
async function historiesOf(
  { file, policy }: Options,
  context: CommandContext,
): Promise<LogHistories | undefined> {
  if (file === undefined || file === STDIN) {
    if (policy === undefined) return undefined;
    throw new CountersignError("usage", "Cannot use --policy without --file FILE");
  }
  const code = "malformed_bundle";
  return await readDocument(
    context,
    file,
    code,
    (text) => text.includes(`"first_checkpoint"`) ? parseLogHistories(text, code) : undefined,
  );
}

async function reportHistories(
  { policy, networkConfig }: Options,
  context: CommandContext,
  histories: LogHistories,
): Promise<number> {
  context.process.dropPermissions([...ONLINE_PERMISSIONS, "write"]);
  const { origin, foundAt } = histories;
  const trusted = policy === undefined
    ? await trustedNetwork(context, { networkConfig, online: false }, origin)
    : undefined;
  const keysOf = (policy: LogPolicy) => ({ policy, logKeys: logKeysOf(policy, origin) });
  const keys = trusted === undefined ? keysOf(await readLogPolicy(context, policy!)) : undefined;
  // A head is checked with the keys of its own epoch: those of an earlier epoch no longer count at its size.
  const keysAt = (size: number) => {
    const signers = trusted && signersOfHead(trusted.network, size);
    return keys ?? (signers && keysOf(policyOfNetwork(signers)));
  };
  const result = await verifyLogHistories(context.crypto, keysAt, histories);
  const [first, second] = [result.first, result.second].map(({ size, root }) => ({
    tree_size: size,
    root_hash: hexOf(root),
  }));
  const { valid } = result;
  context.output.result({
    histories: [{
      origin,
      found_at: foundAt,
      ...outcomeJson(result),
      first: first!,
      second: second!,
      ...(valid && { signed_both: result.signedBoth }),
      ...(trusted === undefined ? { policy } : { configuration: sourceJson(trusted) }),
    }],
    proved: valid ? 1 : 0,
    not_proven: NOT_PROVEN_BY_EVIDENCE,
  }, ({ histories, proved, not_proven }) => [
    ...histories.map((shown): Line =>
      proved > 0 ? provedLine(proved) : describeFailure(
        { reason: shown.reason, field: shown.field },
        "No contradiction is proved",
      )
    ),
    ...histories.flatMap(({ origin, found_at, first, second, signed_both }) => [
      `${origin}: two histories${proved > 0 ? " that the log's key signed" : ""}`,
      ...[first, second].map((head) => `  size ${head.tree_size}, root ${head.root_hash}`),
      ...signedBothLines("cosigned", signed_both),
      `  reported as found: ${timeText(found_at)}`,
    ]),
    ...notProvenLines(not_proven),
  ]);
  return valid ? 1 : 0;
}

function provedLine(proved: number): Line {
  return { text: `CONTRADICTION (${proved} proved)`, accent: "red" };
}

function notProvenLines(notProven: readonly string[]): string[] {
  return ["This does not prove:", ...notProven.map((line) => `  ${line}`)];
}

/** The gateway's list, or a file with a list or one entry. */
async function evidenceOf(
  { file }: Options,
  context: CommandContext,
): Promise<readonly Evidence[]> {
  if (file === undefined) return (await context.gateway.contradictions()).value;
  context.process.dropPermissions([...ONLINE_PERMISSIONS, "write"]);
  const code = "malformed_bundle";
  return await readDocument(
    context,
    file,
    code,
    (text) =>
      text.trimStart().startsWith("{")
        ? [parseEvidence(text, code)]
        : parseContradictions(text, code),
  );
}

/** By the configuration `named`, or else the pin. */
async function judge<C extends Evidence, R>(
  context: CommandContext,
  named: TrustedNetwork | undefined,
  contradiction: C,
  verify: (crypto: CryptoSuite, network: FollowedNetwork, contradiction: C) => Promise<R>,
): Promise<Finding<C, R>> {
  const { origin } = contradiction;
  try {
    const trusted = named ?? await trustedNetwork(context, { online: false }, origin);
    if (trusted.network.id !== origin) return { contradiction };
    const result = await verify(context.crypto, trusted.network, contradiction);
    return { contradiction, trusted, result };
  } catch (error) {
    if (!hasCode(error, "configuration_missing")) throw error;
    return { contradiction };
  }
}

/** Two histories of a network's log, as JSON. */
interface ShownFinding extends ShownEvidence {
  readonly first: ShownHead;
  readonly second: ShownHead;
}

interface ShownHead {
  readonly tree_head: TreeHead;
  readonly signers: readonly string[];
  /** Absent if the log's key signed it. */
  readonly log_signature?: false | undefined;
}

function findingJson({ contradiction, trusted, result }: HeadFinding): ShownFinding {
  const { origin, foundAt, first, second } = contradiction;
  return {
    origin,
    found_at: foundAt,
    ...outcomeJson(result),
    first: headJson(first, result?.first.signers),
    second: headJson(second, result?.second.signers),
    ...(result?.valid && { signed_both: signedBoth(result) }),
    configuration: trusted && sourceJson(trusted),
  };
}

function headJson(
  { sth, logSignature }: ShownTreeHead,
  signers: readonly string[] = [],
): ShownHead {
  return {
    tree_head: sth.tree_head,
    signers,
    ...(logSignature === undefined && { log_signature: false }),
  };
}

function reportLines({ contradictions, successions = [], proved, not_proven }: {
  readonly contradictions: readonly ShownFinding[];
  readonly successions?: readonly ShownConflict[];
  readonly proved: number;
  readonly not_proven: readonly string[];
}): Line[] {
  if (contradictions.length + successions.length === 0) {
    return ["No contradiction is shown.", ...closingLines()];
  }
  const forks = contradictions.filter(({ status }) => status === "verified");
  const isLogged = forks.every(({ first, second }) =>
    first.log_signature === undefined && second.log_signature === undefined
  );
  return [
    proved > 0 ? provedLine(proved) : "No contradiction is proved.",
    ...successions.flatMap(conflictLines),
    ...contradictions.flatMap(findingLines),
    ...(forks.length === 0 ? [] : [
      "This proves:",
      "  that the threshold of the network's witnesses signed two histories of one log" +
      (isLogged ? ", and its log key too" : ""),
    ]),
    ...notProvenLines(not_proven),
  ];
}

function findingLines(shown: ShownFinding): Line[] {
  return [
    `${shown.origin}: ${outcomeText(shown)}`,
    `  first: ${headText(shown.first)}`,
    `  second: ${headText(shown.second)}`,
    `  reported as found: ${timeText(shown.found_at)}`,
    ...signedBothLines("signed", shown.signed_both),
  ];
}

function headText({ tree_head: head, log_signature }: ShownHead): string {
  return `size ${head.tree_size}, root ${head.root_hash}, ${timeText(head.timestamp)}` +
    (log_signature === undefined ? "" : ", without the log key's signature");
}

/** The witnesses that signed both histories. An honest witness does so only after losing its state. */
function signedBoth({ first, second }: ContradictionResult): string[] {
  return first.signers.filter((id) => second.signers.includes(id));
}
