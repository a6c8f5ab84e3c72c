/**
 * Lists of logs that witnesses may follow, as the witness network publishes them
 * (github.com/transparency-dev/witness-network, docs/log-list-format.md):
 *
 *     logs/v0
 *     vkey <vkey of the log>
 *     origin <origin, or none for the name of the key>
 *     bastion <URL or none>
 *     qpd <checkpoints to cosign in a day>
 *     contact <text>
 *
 * Each log has its own lines from `vkey` on. Empty lines, lines that begin with `#` and lines with other
 * names are ignored. A list has no signature.
 *
 * @module
 */

import { integerOf } from "../../base/bytes.ts";
import { CountersignError, errorBuilder } from "../../base/errors.ts";
import { isOrigin } from "./log_checkpoint.ts";
import { NOTE_TYPE, type NoteKey, parseVkey } from "./note_key.ts";

/** A log of a list. */
export interface ListedLog {
  readonly origin: string;
  readonly key: NoteKey;
  readonly queriesPerDay?: number;
}

export interface LogList {
  readonly logs: readonly ListedLog[];
  /** Entries that cannot be used. */
  readonly skipped: readonly { readonly vkey: string; readonly reason: string }[];
}

const HEADER = "logs/v0";
const MAX_ENTRIES = 10_000;

const malformed = errorBuilder("malformed_text", "Cannot read log list");

/** Parses a list; `malformed_text`. Entries with keys of another type than 0x01 are skipped. */
export function parseLogList(text: string): LogList {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => !/^(#|$)/.test(line));
  if (lines.shift() !== HEADER) throw malformed(`the first line is not ${HEADER}`);
  const entries: Map<string, string>[] = [];
  for (const line of lines) {
    const [, name = "", value = ""] = /^(\S+)(?:\s+(.*))?$/.exec(line) ?? [];
    if (name === "vkey") entries.push(new Map());
    const entry = entries.at(-1);
    if (entry === undefined) throw malformed("a log does not begin with its vkey");
    if (!entry.has(name)) entry.set(name, value);
  }
  if (entries.length > MAX_ENTRIES) throw malformed(`it has more than ${MAX_ENTRIES} logs`);
  const logs = new Map<string, ListedLog>();
  const skipped: { vkey: string; reason: string }[] = [];
  for (const entry of entries) {
    try {
      const log = logOf(entry);
      if (logs.has(log.origin)) throw malformed("an entry above has the same origin");
      logs.set(log.origin, log);
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      skipped.push({ vkey: entry.get("vkey")!, reason: error.message });
    }
  }
  return { logs: [...logs.values()], skipped };
}

function logOf(entry: ReadonlyMap<string, string>): ListedLog {
  const key = parseVkey(entry.get("vkey")!);
  if (key.type !== NOTE_TYPE.ed25519) throw malformed("the key is not of type 0x01");
  const named = entry.get("origin") ?? "none";
  const origin = named === "none" ? key.name : named;
  if (!isOrigin(origin)) {
    throw malformed("the origin has more than 1,024 bytes or control characters");
  }
  const qpd = entry.get("qpd");
  if (qpd === undefined) return { origin, key };
  const queriesPerDay = integerOf(qpd);
  if (!queriesPerDay || queriesPerDay > 1e12) throw malformed("qpd is not a positive integer");
  return { origin, key, queriesPerDay };
}
