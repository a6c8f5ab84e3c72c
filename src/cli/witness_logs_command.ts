/**
 * `witness follow` and `witness logs`: the logs that a witness follows besides those of its
 * configuration. A running witness reads the file again.
 *
 * @module
 */

import { fromHex, HASH_LENGTH, isHex } from "../bytes.ts";
import { encodeLogsFile, parseLogsFile, readLogsFile } from "../config/followed_logs.ts";
import { readPrivateFile } from "../config/private_file.ts";
import { parseWitnessNode, type WitnessNode } from "../config/witness_node.ts";
import { namingFile } from "../config/validation.ts";
import { CountersignError } from "../errors.ts";
import { type ListedLog, parseLogList } from "../format/log_list.ts";
import { encodeVkey, parseVkey } from "../format/note_key.ts";
import { replaceFile } from "../server/files.ts";
import type { CliIo } from "../server/io.ts";
import type { WitnessedLog } from "../witness/ports.ts";
import type { CommandContext } from "./command_context.ts";
import { defineSubcommand, type ValuesOf } from "./define_command.ts";
import { textAt } from "./input_file.ts";
import { count, FILE, optional, positional, required, textValue } from "./options.ts";
import { withSupplyLock } from "./supply_lock.ts";
import { witnessConfig } from "./witness_release_command.ts";

/** The keys are public, and the witness may run as another user. */
const FILE_MODE = 0o644;

const followOptions = {
  config: witnessConfig,
  origin: required("--origin", textValue("ORIGIN"), "First line of the log's checkpoints."),
  vkey: required("--vkey", textValue("VKEY"), "Its C2SP verifier key, of type 0x01."),
  size: optional(
    "--size",
    count("SIZE", 1),
    "Tree size to trust, with --root (default: the first that the log submits).",
  ),
  root: optional("--root", textValue("HASH"), "Root hash of the tree of that size, in hex."),
};

export const witnessFollow = defineSubcommand("witness follow", {
  brief: "Add a log, or a further key of one, to the logs_file of a witness",
  description:
    "The witness cosigns the log's checkpoints from then on, without a restart. If it has cosigned the log before, it goes on from there.",
  options: followOptions,
  run: followLog,
});

const importOptions = {
  config: witnessConfig,
  list: positional(FILE, "A file, - for standard input, or an https URL."),
};

export const witnessImport = defineSubcommand("witness import", {
  brief: "Add the logs of a witness network's list to the logs_file of a witness",
  description:
    "Adds logs and updates quotas; removes no log. If the witness has another key for a log, the log stays unchanged and the command exits 1.",
  options: importOptions,
  run: importLogs,
});

export const witnessLogs = defineSubcommand("witness logs", {
  brief: "List the logs that a witness follows",
  options: { config: witnessConfig },
  run: listLogs,
});

async function followLog(
  { config, origin, vkey, size, root }: ValuesOf<typeof followOptions>,
  { io, output }: CommandContext,
): Promise<number> {
  const node = await readNode(config, io);
  const logsFile = requireLogsFile(node, config);
  if (node.logs.some((log) => log.origin === origin)) {
    throw refuse(`${config} has the log in its member logs: change it there, and start again`);
  }
  const start = startOf(size, root);
  await withSupplyLock(`${logsFile}.lock`, async (confirm) => {
    const added = { origin, keys: [parseVkey(vkey)], ...(start !== undefined && { start }) };
    const text = encodeLogsFile([...await readLogsFile(logsFile), added]);
    // Refuses a log that the witness would refuse; and gathers the keys of each.
    const logs = parseLogsFile(text, logsFile);
    await replaceFile(logsFile, encodeLogsFile(logs), FILE_MODE, confirm);
  });
  output.result(
    { origin, vkey, file: logsFile, ...(start !== undefined && { size: start.size }) },
    [`Follows ${origin} ${startText(start === undefined ? {} : { start })}`],
  );
  return 0;
}

async function importLogs(
  { config, list: name }: ValuesOf<typeof importOptions>,
  context: CommandContext,
): Promise<number> {
  const node = await readNode(config, context.io);
  const logsFile = requireLogsFile(node, config);
  const text = await textAt(context, name, "Cannot get log list");
  const { logs: listed, skipped } = namingFile(name, () => parseLogList(text));
  const result = await withSupplyLock(`${logsFile}.lock`, async (confirm) => {
    const further = await readLogsFile(logsFile);
    const merged = mergeList(listed, { configured: node.logs, further });
    const written = encodeLogsFile(merged.logs);
    parseLogsFile(written, logsFile);
    if (written !== encodeLogsFile(further)) {
      await replaceFile(logsFile, written, FILE_MODE, confirm);
    }
    return merged;
  });
  const { added, updated, refused, kept } = result;
  context.output.result(
    { file: logsFile, added, updated, refused, kept, skipped },
    [
      ...added.map((origin) => `Follows ${origin} from the first checkpoint that it submits`),
      ...updated.map((origin) => `New quota: ${origin}`),
      ...refused.map((origin) => `Refused another key: ${origin} (accept it with witness follow)`),
      ...skipped.map(({ vkey, reason }) => `Skipped ${vkey}: ${reason}`),
      `${listed.length} logs in the list, ${kept.length} followed that are not in it`,
    ],
  );
  return refused.length === 0 ? 0 : 1;
}

interface MergedLogs {
  readonly logs: readonly WitnessedLog[];
  /** Origins. */
  readonly added: readonly string[];
  readonly updated: readonly string[];
  readonly refused: readonly string[];
  readonly kept: readonly string[];
}

/** A list adds logs and changes quotas: it neither changes a key nor removes a log. */
function mergeList(
  listed: readonly ListedLog[],
  { configured, further }: {
    readonly configured: readonly WitnessedLog[];
    readonly further: readonly WitnessedLog[];
  },
): MergedLogs {
  const logs = new Map(further.map((log) => [log.origin, log]));
  const [added, updated, refused] = [[], [], []] as [string[], string[], string[]];
  for (const { origin, key, queriesPerDay } of listed) {
    const fixed = configured.find((log) => log.origin === origin);
    const known = fixed ?? logs.get(origin);
    if (known === undefined) {
      added.push(origin);
      logs.set(origin, { origin, keys: [key], ...(queriesPerDay && { queriesPerDay }) });
    } else if (!known.keys.some((one) => encodeVkey(one) === encodeVkey(key))) {
      refused.push(origin);
    } else if (fixed === undefined && queriesPerDay && queriesPerDay !== known.queriesPerDay) {
      updated.push(origin);
      logs.set(origin, { ...known, queriesPerDay });
    }
  }
  const named = new Set(listed.map(({ origin }) => origin));
  const kept = further.map(({ origin }) => origin).filter((origin) => !named.has(origin));
  return { logs: [...logs.values()], added, updated, refused, kept };
}

async function listLogs(
  { config }: { readonly config: string },
  { io, output }: CommandContext,
): Promise<number> {
  const { logs, logsFile } = await readNode(config, io);
  const all = [...logs, ...(logsFile === undefined ? [] : await readLogsFile(logsFile))];
  output.result(
    {
      logs: all.map(({ origin, keys, start, queriesPerDay }) => ({
        origin,
        vkeys: keys.map(encodeVkey),
        ...(start !== undefined && { size: start.size }),
        ...(queriesPerDay !== undefined && { queries_per_day: queriesPerDay }),
      })),
    },
    all.flatMap((log) => [
      `${log.origin} ${startText(log)}`,
      ...log.keys.map((key) => `  ${encodeVkey(key)}`),
    ]),
  );
  return 0;
}

function requireLogsFile({ logsFile }: WitnessNode, config: string): string {
  if (logsFile !== undefined) return logsFile;
  throw refuse(`${config} has no member logs_file, which names the file of further logs`);
}

async function readNode(config: string, io: CliIo): Promise<WitnessNode> {
  const file = io.resolvePath(config);
  return parseWitnessNode(await readPrivateFile(file), file);
}

function startOf(size: number | undefined, root: string | undefined): WitnessedLog["start"] {
  if (size === undefined && root === undefined) return undefined;
  if (size !== undefined && root !== undefined && isHex(root, HASH_LENGTH)) {
    return { size, root: fromHex(root) };
  }
  throw new CountersignError(
    "usage",
    "Cannot follow log: --size and --root need each other, and --root has 64 hex digits",
  );
}

function startText({ start }: Pick<WitnessedLog, "start">): string {
  return start === undefined
    ? "from the first checkpoint that it submits"
    : `from size ${start.size}, unless a larger one is cosigned`;
}

function refuse(reason: string): CountersignError {
  return new CountersignError("invalid_configuration", `Cannot follow log: ${reason}`);
}
