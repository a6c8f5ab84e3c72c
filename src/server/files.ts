/**
 * Files and folders that only their owner may read.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { utf8 } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { plainReason, reasonOf } from "../storage/store_fault.ts";

/** Creates the folder `path` and its parents with mode 0700. `file_failed`. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw failed("create folder", path, cause);
  }
}

/**
 * Writes and syncs a new file at `path` with permission bits `mode`. `file_failed` if the file
 * exists. Removes an incomplete file.
 */
export async function writeNewFile(
  path: string,
  content: string | Uint8Array,
  mode: number,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  try {
    const file = await Deno.open(path, { createNew: true, write: true, mode });
    const unfinished = opened.use(new AsyncDisposableStack());
    unfinished.defer(() => Deno.remove(path));
    opened.defer(() => file.close());
    let rest = typeof content === "string" ? utf8(content) : content;
    while (rest.length > 0) rest = rest.subarray(await file.write(rest));
    await file.sync();
    unfinished.move();
  } catch (cause) {
    throw failed("write", path, cause);
  }
}

/**
 * Creates or replaces the file at `path`. A reader, or the next run after a crash, finds the old or
 * the new text: the text is written to a temporary file, synced and renamed. `file_failed`.
 *
 * @param mode permission bits of the file
 */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}`);
  await writeNewFile(temporary, text, mode);
  try {
    await Deno.rename(temporary, path);
  } catch (cause) {
    await Deno.remove(temporary);
    throw failed("replace", path, cause);
  }
}

/** True if a file or folder exists at `path`; rejects if that cannot be determined. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    const { NotADirectory, NotFound } = Deno.errors;
    if (error instanceof NotFound || error instanceof NotADirectory) return false;
    throw error;
  }
}

/** The text of the file at `path`; `undefined` if there is no file. `file_failed`. */
export async function textIfExists(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw failed("read", path, cause);
  }
}

/** The names in `folder`; empty if it does not exist. `file_failed`. */
export async function listFolder(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) names.push(entry.name);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw failed("read", folder, cause);
  }
  return names;
}

/**
 * The file name of a network id, without suffix: each character outside `[a-z0-9.-]` becomes `%` and
 * two hex digits. Distinct ids have distinct names, even on case-insensitive file systems.
 */
export function fileNameOf(id: string): string {
  return id.replace(
    /[^a-z0-9.-]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

function failed(action: string, path: string, cause: unknown): CountersignError {
  const reason = cause instanceof Deno.errors.AlreadyExists
    ? "it already exists"
    : plainReason(reasonOf(cause));
  return new CountersignError("file_failed", `Cannot ${action} "${path}": ${reason}`, { cause });
}
