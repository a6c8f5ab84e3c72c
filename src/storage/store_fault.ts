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
  const found = reasonOf(cause);
  const [code, required] = DAMAGE.test(found)
    ? ["store_corrupt", "a whole database"] as const
    : ["storage_failed", "a working database"] as const;
  return new CountersignError(
    code,
    `Cannot ${verb} ${key === undefined ? "" : `${JSON.stringify(key)} of `}the store: ` +
      `${required} required, found "${found}"`,
    { cause },
  );
}

/** The words of whatever was thrown. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
