/**
 * Faults of the database below Deno KV, which rejects with bare errors in SQLite's words.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";

/**
 * SQLITE_CORRUPT and SQLITE_NOTADB, by their English names (sqlite.org/rescode.html), and V8's
 * message for a value that it did not write.
 */
const DAMAGE = /disk image is malformed|file is not a database|could not deserialize value/;

/** What SQLite and the system say of writes that fail, and what that is in plain words. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/is full|no space left|quota exceeded|file too large/i, "disk full"],
  [/readonly|read-only/i, "read-only file or disk"],
  [/permission denied|unable to open|access/i, "no permission to write, or no such folder"],
  [/is locked|is busy/i, "locked by another program"],
  [/i\/o error|input\/output error/i, "I/O error of the disk"],
];

/**
 * What it means that `verb` failed with `cause`: `store_corrupt` when the file is no whole
 * database, otherwise `storage_failed`. Returns a `CountersignError` unchanged. `key` is the key
 * that was read.
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
      `Cannot ${what}: a whole database required, found "${found}"`,
      { cause },
    );
  }
  return new CountersignError("storage_failed", `Cannot ${what}: ${plainReason(found)}`, { cause });
}

/** `found` with the plain name of what it says: `disk full ("database or disk is full")`. */
export function plainReason(found: string): string {
  const reason = REASONS.find(([words]) => words.test(found))?.[1];
  return reason === undefined ? `"${found}"` : `${reason} ("${found}")`;
}

/** The words of whatever was thrown. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
