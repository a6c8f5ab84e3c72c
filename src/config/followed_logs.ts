/**
 * The logs that a witness follows. They are in the member `logs` of `witness.json`, and in the file that
 * its member `logs_file` names.
 *
 * @module
 */

import { stat } from "node:fs/promises";
import { equalBytes, fromHex, HASH_LENGTH, hexOf, INTEGER_LIMIT } from "../base/bytes.ts";
import { systemClock } from "../base/clock.ts";
import { screenPublicKey } from "../proof/crypto/ed25519_key.ts";
import { hasCode } from "../base/errors.ts";
import { isOrigin } from "../proof/format/log_checkpoint.ts";
import { encodeVkey, NOTE_TYPE, parseVkey } from "../proof/format/note_key.ts";
import { hex, list, TEXT } from "../proof/format/schema.ts";
import type { WitnessedLog } from "../witness/ports.ts";
import { integer, parseFile, settings } from "./settings.ts";
import { readTextFile } from "./text_file.ts";
import { invalid } from "./validation.ts";
import { MOST_PER_DAY } from "./witness_limits.ts";

/** One key of a log. */
const LOG_KEY = settings({
  origin: origin("First line of the log's checkpoints. An entry for each of its keys."),
  vkey: TEXT.convert((text, where) => {
    const key = parseVkey(text, undefined, where);
    if (key.type !== NOTE_TYPE.ed25519) throw invalid(where, "it must be of type 0x01");
    screenPublicKey(key.publicKey);
    return key;
  }).with({ title: "C2SP verifier key", description: "Key of the log, of type 0x01." }),
  start: settings({
    size: integer(1, INTEGER_LIMIT - 1, "Its tree size."),
    root_hash: hex(HASH_LENGTH, "Its root hash."),
  }).convert(({ size, rootHash }) => ({ size, root: fromHex(rootHash) })).with({
    description:
      "The head that the witness trusts if it has cosigned none; without it, the first that the log submits.",
  }).optional(),
  queries_per_day: integer(
    1,
    MOST_PER_DAY,
    "Larger heads of the log to cosign in a day (UTC); without it, as `limits.per_log` says.",
  ).optional(),
});

/** The logs by their origins, in the order of their first entries. */
export const LOGS = list(LOG_KEY).convert((entries, where) => {
  const logs = new Map<string, WitnessedLog>();
  for (const [i, { origin, vkey, ...settings }] of entries.entries()) {
    const earlier = logs.get(origin) ?? { origin, keys: [] };
    if (earlier.keys.some(({ publicKey }) => equalBytes(publicKey, vkey.publicKey))) {
      throw invalid(`${where}[${i}]`, "an entry above has the same origin and key");
    }
    logs.set(origin, { ...earlier, ...settings, keys: [...earlier.keys, vkey] });
  }
  return [...logs.values()];
});

const LOGS_FILE = settings({ logs: LOGS });

/** First line of a log's checkpoints. */
export function origin(description: string) {
  return TEXT.convert((origin, where) => {
    if (isOrigin(origin)) return origin;
    throw invalid(where, "it must have 1 to 1,024 bytes and no control characters");
  }).with({ description });
}

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
  return parseFile(LOGS_FILE, text, file).logs;
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
