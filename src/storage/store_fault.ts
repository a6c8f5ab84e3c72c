/**
 * Errors of the database. Deno KV rejects with plain errors that have SQLite's messages.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";

/**
 * Messages of SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html), and V8's message for a value
 * that it cannot deserialize.
 */
const DAMAGE = /disk image is malformed|file is not a database|could not deserialize value/;

/** Messages of SQLite and the system for failed writes, and their plain meaning. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/is full|no space left|quota exceeded|file too large/i, "disk full"],
  [/readonly|read-only/i, "read-only file or disk"],
  [/permission denied|unable to open|access/i, "no permission to write, or no such folder"],
  [/is locked|is busy/i, "locked by another program"],
  [/i\/o error|input\/output error/i, "I/O error of the disk"],
];

/**
 * The error for a read or write that failed with `cause`: `store_corrupt` when the database is damaged,
 * otherwise `storage_failed`. Returns a `CountersignError` unchanged. `key` is the key that was read.
 */
export function storeFault(
  verb: "read" | "write",
  cause: unknown,
  key?: Deno.KvKey,
): CountersignError {
  if (cause instanceof CountersignError) return cause;
  const what = `${verb} ${key === undefined ? "" : `${JSON.stringify(key)} of `}the store`;
  const found = reasonOf(cause);
  if (DAMAGE.test(found)) {
    return new CountersignError(
      "store_corrupt",
      `Cannot ${what}: the database is damaged ("${found}")`,
      { cause },
    );
  }
  return new CountersignError("storage_failed", `Cannot ${what}: ${plainReason(found)}`, { cause });
}

/** The first key of a selection, for messages. */
export function boundOf(selector: Deno.KvListSelector, reverse = false): Deno.KvKey {
  if (reverse && "end" in selector) return selector.end;
  return "start" in selector ? selector.start : selector.prefix;
}

/** `message` after its plain meaning, if known: `disk full ("database or disk is full")`. */
export function plainReason(message: string): string {
  const reason = REASONS.find(([words]) => words.test(message))?.[1];
  return reason === undefined ? `"${message}"` : `${reason} ("${message}")`;
}

/** The message of anything that was thrown. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
