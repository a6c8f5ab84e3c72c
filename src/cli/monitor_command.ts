/**
 * `monitor`: follows logs, with permissions only for the resources in its configuration. `monitor findings`
 * lists findings, `monitor acknowledge` acknowledges them.
 *
 * @module
 */

import { or } from "@optique/core/constructs";
import { parseMonitorNode } from "../config/monitor_node.ts";
import { readTextFile } from "../config/text_file.ts";
import { CountersignError } from "../base/errors.ts";
import { type Finding, findingMembers, isOpen, titleOf } from "../logs/monitor/findings.ts";
import { parseMonitorState } from "../logs/monitor/state.ts";
import { MonitorFolder } from "../server/monitor/monitor_folder.ts";
import type { CommandContext } from "./command_context.ts";
import { defineSubcommand, namedCommand, runnable, type ValuesOf } from "./define_command.ts";
import {
  FILE,
  flag,
  logOptions,
  optional,
  repeatedPositional,
  required,
  textValue,
} from "./options.ts";
import { timeText } from "./output.ts";

const config = required("--config", FILE, "The monitor's monitor.json.");

const options = {
  config,
  once: flag("--once", "Poll once, send alerts, and exit: 0, or 1 or 3 if findings are open."),
  ...logOptions,
};

const findings = defineSubcommand("monitor findings", {
  brief: "List the findings of a monitor",
  description: "Lists findings that were alerted, have not ended and are not acknowledged.",
  options: {
    config,
    all: flag("--all", "Also findings that are not alerted yet, have ended or are acknowledged."),
  },
  run: listFindings,
});

const acknowledgeOptions = {
  config,
  note: optional("--note", textValue("TEXT"), "Kept with the finding."),
  ids: repeatedPositional(textValue("ID"), "Ids of findings."),
};

const acknowledge = defineSubcommand("monitor acknowledge", {
  brief: "Acknowledge findings",
  description:
    "A running monitor applies it at its next poll. If a log forked in every view, the monitor then continues from the new history.",
  options: acknowledgeOptions,
  run: acknowledgeFindings,
});

async function listFindings(
  { config, all }: { readonly config: string; readonly all: boolean },
  context: CommandContext,
): Promise<number> {
  const { findings } = await openFolder(config, context);
  const shown = findings.filter((finding) => all || isOpen(finding));
  context.output.result(
    { findings: shown.map(findingMembers) },
    ({ findings }) => findings.length === 0 ? ["No open findings"] : findings.flatMap(findingLines),
  );
  return 0;
}

async function acknowledgeFindings(
  { config, note, ids }: ValuesOf<typeof acknowledgeOptions>,
  context: CommandContext,
): Promise<number> {
  const { folder, findings } = await openFolder(config, context);
  for (const id of ids) {
    if (findings.some((finding) => finding.id === id)) continue;
    throw new CountersignError(
      "usage",
      `Cannot acknowledge ${id}: there is no such finding. List them with countersign monitor findings --all`,
    );
  }
  for (const id of ids) await folder.acknowledge({ id, ...(note !== undefined && { note }) });
  context.output.result(
    { acknowledged: ids },
    ({ acknowledged }) => acknowledged.map((id) => `Acknowledged ${id}`),
  );
  return 0;
}

async function openFolder(
  config: string,
  { io }: CommandContext,
): Promise<{ readonly folder: MonitorFolder; readonly findings: readonly Finding[] }> {
  const file = io.resolvePath(config);
  const folder = new MonitorFolder(parseMonitorNode(await readTextFile(file), file).stateFolder);
  const state = await folder.read();
  return {
    folder,
    findings: state === undefined ? [] : parseMonitorState(state, folder.name).findings,
  };
}

function findingLines(finding: Omit<Finding, "sent">): string[] {
  const { id, log, view, message, since, evidence, note } = finding;
  const ended = finding.ended_at === undefined ? "" : `, until ${timeText(finding.ended_at)}`;
  return [
    `${id}  ${titleOf(finding)}  ${[log, view].filter((part) => part).join(", ")}`,
    `  ${message}`,
    `  since ${timeText(since)}${ended}`,
    ...(evidence === undefined ? [] : [`  evidence: ${evidence}`]),
    ...(finding.acknowledged_at === undefined ? [] : [
      `  acknowledged ${timeText(finding.acknowledged_at)}${note === undefined ? "" : `: ${note}`}`,
    ]),
  ];
}

export const monitor = namedCommand(
  "monitor",
  or(
    findings,
    acknowledge,
    runnable(
      options,
      async (values, context) =>
        await (await import("./monitor_run.ts")).runMonitor(values, context),
    ),
  ),
  "Follows logs until stopped, and alerts. docs/monitor.md says what it finds.",
);
