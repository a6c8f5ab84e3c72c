/**
 * The logs that a witness follows: the member `logs` of `witness.json`, and of a file of its own,
 *
 *     {"logs": [{"origin", "vkey", "start"?: {"size", "root_hash"}, "queries_per_day"?} ...]}
 *
 * @module
 */

import { stat } from "node:fs/promises";
import { equalBytes, fromHex, HASH_LENGTH, hexOf, isHex } from "../base/bytes.ts";
import { systemClock } from "../base/clock.ts";
import { screenPublicKey } from "../proof/crypto/ed25519.ts";
import { hasCode } from "../base/errors.ts";
import { Fields } from "../proof/format/fields.ts";
import { isOrigin } from "../proof/format/log_checkpoint.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey, parseVkey } from "../proof/format/note_key.ts";
import type { WitnessedLog } from "../witness/ports.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { readTextFile } from "./text_file.ts";
import { invalid, namingFile, optionalIntegerIn } from "./validation.ts";
import { MOST_PER_DAY } from "./witness_limits.ts";

const START_MEMBERS: Members = {
  size: required("1 to 2^53 - 1", "Its tree size."),
  root_hash: required("64 hex digits", "Its root hash."),
};

/** Members of an entry of `logs`. */
export const LOG_MEMBERS: Members = {
  origin: required("text", "First line of the log's checkpoints. An entry for each of its keys."),
  vkey: required("C2SP verifier key", "Key of the log, of type 0x01."),
  start: optional(
    "object",
    "The head that the witness trusts if it has cosigned none; without it, the first that the log submits.",
    { members: START_MEMBERS },
  ),
  queries_per_day: optional(
    "1 to 10^12",
    "Larger heads of the log to cosign in a day (UTC).",
    { standard: "`limits.per_log`" },
  ),
};

/** The text that {@linkcode parseLogsFile} reads. */
export function encodeLogsFile(logs: readonly WitnessedLog[]): string {
  const entries = logs.flatMap(({ origin, keys, start, queriesPerDay: queries_per_day }) =>
    keys.map((key) => ({
      origin,
      vkey: encodeVkey(key),
      ...(start !== undefined && { start: { size: start.size, root_hash: hexOf(start.root) } }),
      ...(queries_per_day !== undefined && { queries_per_day }),
    }))
  );
  return `${JSON.stringify({ logs: entries }, null, 2)}\n`;
}

/** The logs of `text`, the content of `file`; `malformed_configuration`, `invalid_configuration`, `invalid_key`. */
export function parseLogsFile(text: string, file: string): readonly WitnessedLog[] {
  const where = { where: file, code: "malformed_configuration" } as const;
  return namingFile(file, () => readLogs(Fields.parse(text, where, ["logs"])));
}

/** The logs in `file`, none if it is missing; also `file_failed`. */
export async function readLogsFile(file: string): Promise<readonly WitnessedLog[]> {
  const text = await textIfThere(file);
  return text === undefined ? [] : parseLogsFile(text, file);
}

async function textIfThere(file: string): Promise<string | undefined> {
  try {
    return await readTextFile(file);
  } catch (error) {
    if (hasCode(error, "configuration_missing")) return undefined;
    throw error;
  }
}

/** A file that changed so recently may change again without other times. */
const SETTLED_MS = 2_000;

/**
 * Reads `file` when it has changed, and checks it: for ten thousand logs the reading takes 5 ms and the first
 * check seconds, and strangers cause these calls. What it had last counts while it cannot be used, which is
 * reported once.
 */
export function logsReader(
  file: string,
  report: (error: unknown) => void,
  { parse = parseLogsFile, read = textIfThere } = {},
): () => Promise<readonly WitnessedLog[]> {
  let last: readonly WitnessedLog[] = [];
  let checked: string | undefined;
  let stamp: string | undefined;
  let reported = "";
  return async () => {
    // Before the text: a change between both shows the next time.
    const present = await stampOf(file);
    if (present !== undefined && present === stamp) return last;
    try {
      const text = await read(file);
      stamp = present;
      if (text === checked) return last;
      checked = text;
      const logs = text === undefined ? [] : parse(text, file);
      // An unchanged list stays the same value: its logs keep their memory.
      if (encodeLogsFile(logs) !== encodeLogsFile(last)) last = logs;
      reported = "";
    } catch (error) {
      const message = String(error);
      if (message !== reported) report(error);
      reported = message;
    }
    return last;
  };
}

/** Differs after a change of `file`; `undefined` if that is not certain. */
async function stampOf(file: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = await stat(file, { bigint: true });
    if (Math.abs(systemClock.nowMs() - Number(ctimeMs)) < SETTLED_MS) return undefined;
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return undefined;
  }
}

/** The member `logs`: the logs by their origins, in the order of their first entries. */
export function readLogs(fields: Fields): readonly WitnessedLog[] {
  const logs = new Map<string, WitnessedLog>();
  for (const [i, entry] of fields.list("logs").entries()) {
    const log = fields.within(entry, `logs[${i}]`, ...namesOf(LOG_MEMBERS));
    const origin = log.text("origin");
    const key = readLogKey(log, origin);
    const { keys = [], start: earlier, queriesPerDay: known } = logs.get(origin) ?? {};
    if (keys.some(({ publicKey }) => equalBytes(publicKey, key.publicKey))) {
      throw invalid(log.where, "an entry above has the same origin and key");
    }
    const start = readStart(log) ?? earlier;
    const all = Object.freeze([...keys, key]);
    const queriesPerDay = optionalIntegerIn(log, "queries_per_day", 1, MOST_PER_DAY) ??
      known;
    logs.set(
      origin,
      Object.freeze({
        origin,
        keys: all,
        ...(start !== undefined && { start }),
        ...(queriesPerDay !== undefined && { queriesPerDay }),
      }),
    );
  }
  return Object.freeze([...logs.values()]);
}

function readLogKey(fields: Fields, origin: string): NoteKey {
  const key = parseVkey(fields.text("vkey"));
  if (key.type !== NOTE_TYPE.ed25519) throw invalid(fields.where, "vkey must be of type 0x01");
  if (!isOrigin(origin)) {
    throw invalid(
      fields.where,
      "origin must have 1 to 1,024 bytes and no control characters",
    );
  }
  screenPublicKey(key.publicKey);
  return key;
}

function readStart(log: Fields): WitnessedLog["start"] {
  if (!log.has("start")) return undefined;
  const fields = log.object("start", ...namesOf(START_MEMBERS));
  const [size, root] = [fields.integer("size"), fields.text("root_hash")];
  if (size < 1) throw invalid(fields.where, "size must be at least 1");
  if (!isHex(root, HASH_LENGTH)) throw invalid(fields.where, "root_hash must have 64 hex digits");
  return { size, root: fromHex(root) };
}
