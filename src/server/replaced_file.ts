/**
 * Files that are read and replaced as a whole.
 *
 * @module
 */

import { open, readFile, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { utf8 } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import { knownProblem, systemCode } from "../base/system_error.ts";
import { plainReason, reasonOf } from "../storage/store_fault.ts";

/** File systems allow names of 255 bytes. This leaves room for a suffix and that of a temporary file. */
export const MAX_NAME = 144;

/** Writes and syncs a new file at `path`; removes an incomplete one. Rejects with the system's errors. */
export async function createFile(
  path: string,
  content: string | Uint8Array,
  mode: number,
): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (cause) {
    await unlink(path);
    throw cause;
  } finally {
    await file.close();
  }
}

/**
 * Creates or replaces the file at `path`. A reader, or the next run after a crash, finds the old or
 * the new text: the text is written to a temporary file, synced and renamed. `file_failed`.
 *
 * @param mode permission bits of the file
 * @param confirm called right before the file is replaced; if it rejects, the old text stays
 */
export async function replaceFile(
  path: string,
  text: string | Uint8Array,
  mode: number,
  confirm?: () => Promise<void>,
): Promise<void> {
  const name = basename(path);
  const named = utf8(name).length > MAX_NAME ? "" : `.${name}`;
  const temporary = join(dirname(path), `${named}.${crypto.randomUUID()}`);
  try {
    await createFile(temporary, text, mode);
  } catch (cause) {
    throw failed("write", path, cause);
  }
  try {
    await confirm?.();
    await rename(temporary, path);
  } catch (cause) {
    await unlink(temporary);
    throw cause instanceof CountersignError ? cause : failed("replace", path, cause);
  }
}

/** The text of the file at `path`; `undefined` if there is no file. `file_failed`. */
export async function textIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return undefined;
    throw failed("read", path, cause);
  }
}

/** The error of an `action` on the file or folder at `path` that failed with `cause`. */
export function failed(action: string, path: string, cause: unknown): CountersignError {
  const isMissing = systemCode(cause) === "ENOENT" && action !== "read";
  // The system's own message names a temporary file.
  const known = isMissing ? "there is no such folder" : knownProblem(cause);
  const reason = known ?? plainReason(reasonOf(cause));
  return new CountersignError("file_failed", `Cannot ${action} "${path}": ${reason}`, { cause });
}
