/**
 * `witness follow` and `witness logs`: the logs that a witness follows besides those of its
 * configuration. A running witness reads the file again.
 *
 * @module
 */

import { bytesOfHex, HASH_LENGTH } from "../base/bytes.ts";
import { encodeLogsFile, parseLogsFile, readLogsFile } from "../config/followed_logs.ts";
import { readPrivateFile } from "../config/private_file.ts";
import { parseWitnessNode, type WitnessNode } from "../config/witness_node.ts";
import { CountersignError, errorBuilder } from "../base/errors.ts";
import { encodeVkey, parseVkey } from "../proof/format/note_key.ts";
import { replaceFile } from "../server/replaced_file.ts";
import type { CliIo } from "../server/io.ts";
import { withChangeLock } from "../server/change_lock.ts";
import { importLogList, LIST_FAILURE, LOGS_FILE_MODE } from "../server/witness/log_lists.ts";
import type { WitnessedLog } from "../witness/ports.ts";
import type { CommandContext } from "./command_context.ts";
import { defineSubcommand, type ValuesOf } from "./define_command.ts";
import { textAt } from "./input_file.ts";
import { count, FILE, optional, positional, required, textValue } from "./options.ts";
import { witnessConfig } from "./witness_release_command.ts";

const refuse = errorBuilder("invalid_configuration", "Cannot follow log");

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
  list: positional(FILE, "The list: a file, - for standard input, or an https URL."),
};

export const witnessImport = defineSubcommand("witness import", {
  brief: "Add the logs of a witness network's list to the logs_file of a witness",
  description:
    "Adds logs and updates quotas; removes no log. If the file would have more than max_logs of the configuration, it stays unchanged. If the witness has another key for a log, the log stays unchanged and the command exits 1.",
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
  await withChangeLock(`${logsFile}.lock`, async (confirm) => {
    const added = { origin, keys: [parseVkey(vkey)], ...(start !== undefined && { start }) };
    const text = encodeLogsFile([...await readLogsFile(logsFile), added]);
    // Refuses a log that the witness would refuse; and gathers the keys of each.
    const logs = parseLogsFile(text, logsFile);
    await replaceFile(logsFile, encodeLogsFile(logs), LOGS_FILE_MODE, confirm);
  });
  output.result(
    { origin, vkey, file: logsFile, ...(start !== undefined && { size: start.size }) },
    ({ origin, size }) => [`Follows ${origin} ${startText(size)}`],
  );
  return 0;
}

async function importLogs(
  { config, list: name }: ValuesOf<typeof importOptions>,
  context: CommandContext,
): Promise<number> {
  const node = await readNode(config, context.io);
  const logsFile = requireLogsFile(node, config);
  const text = await textAt(context, name, LIST_FAILURE);
  const imported = await importLogList(node, logsFile, name, text);
  const { listed, added, updated, refused, kept, skipped } = imported;
  context.output.result(
    { file: logsFile, listed, added, updated, refused, kept, skipped },
    ({ listed, added, updated, refused, kept, skipped }) => [
      ...added.map((origin) => `Follows ${origin} from the first checkpoint that it submits`),
      ...updated.map((origin) => `New quota: ${origin}`),
      ...refused.map((origin) => `Refused another key: ${origin} (accept it with witness follow)`),
      ...skipped.map(({ vkey, reason }) => `Skipped ${vkey}: ${reason}`),
      `${listed} logs in the list, ${kept.length} followed that are not in it`,
    ],
  );
  return refused.length === 0 ? 0 : 1;
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
        size: start?.size,
        queries_per_day: queriesPerDay,
      })),
    },
    ({ logs }) =>
      logs.flatMap(({ origin, size, vkeys }) => [
        `${origin} ${startText(size)}`,
        ...vkeys.map((vkey) => `  ${vkey}`),
      ]),
  );
  return 0;
}

function requireLogsFile({ logsFile }: WitnessNode, config: string): string {
  if (logsFile !== undefined) return logsFile;
  throw refuse(`add the member logs_file to ${config}: it names the file of further logs`);
}

async function readNode(config: string, io: CliIo): Promise<WitnessNode> {
  const file = io.resolvePath(config);
  return parseWitnessNode(await readPrivateFile(file), file);
}

function startOf(size: number | undefined, root: string | undefined): WitnessedLog["start"] {
  if (size === undefined && root === undefined) return undefined;
  const bytes = root === undefined ? undefined : bytesOfHex(root.toLowerCase(), HASH_LENGTH);
  if (size !== undefined && bytes !== undefined) return { size, root: bytes };
  throw new CountersignError(
    "usage",
    "Cannot follow log: give both --size and --root (64 hex digits), or neither",
  );
}

function startText(size: number | undefined): string {
  return size === undefined
    ? "from the first checkpoint that it submits"
    : `from size ${size}, unless a larger one is cosigned`;
}
