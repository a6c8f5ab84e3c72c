/**
 * Files and folders that only their owner may read.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { utf8 } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import { knownProblem, systemCode } from "../base/system_error.ts";
import { plainReason, reasonOf } from "../storage/store_fault.ts";

/** File systems allow names of 255 bytes. This leaves room for a suffix and that of a temporary file. */
const MAX_NAME = 144;

/** Creates the folder `path` and its parents with mode 0700. `file_failed`. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
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
  try {
    await createFile(path, content, mode);
  } catch (cause) {
    throw failed("write", path, cause);
  }
}

/** {@linkcode writeNewFile} with the system's errors. */
async function createFile(path: string, content: string | Uint8Array, mode: number): Promise<void> {
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

/** {@linkcode replaceFile} where there is no file yet: after a crash, it is whole or absent. `file_failed`. */
export async function createWhole(path: string, text: string, mode: number): Promise<void> {
  await replaceFile(path, text, mode, async () => {
    if (!await exists(path)) return;
    throw new CountersignError("file_failed", `Cannot write "${path}": it already exists`);
  });
}

/** `file_failed` if there is no folder for a file at `path`. */
export async function requireFolderOf(path: string): Promise<void> {
  try {
    await stat(dirname(path));
  } catch (cause) {
    throw failed("write", path, cause);
  }
}

/** True if a file or folder exists at `path`; rejects if that cannot be determined. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw error;
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

/** The names in `folder`; empty if it does not exist. `file_failed`. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return [];
    throw failed("read", folder, cause);
  }
}

/**
 * The file name of a network id, without suffix: each character outside `[a-z0-9.-]` becomes `%` and
 * two hex digits; `%sha256-` and the id's SHA-256 if that is too long. Distinct ids have distinct names,
 * even on case-insensitive file systems.
 */
export function fileNameOf(id: string): string {
  const name = id.replace(
    /[^a-z0-9.-]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return name.length <= MAX_NAME
    ? name
    : `%sha256-${createHash("sha256").update(id).digest("hex")}`;
}

function failed(action: string, path: string, cause: unknown): CountersignError {
  const isMissing = systemCode(cause) === "ENOENT" && action !== "read";
  // The system's own message names a temporary file.
  const known = isMissing ? "there is no such folder" : knownProblem(cause);
  const reason = known ?? plainReason(reasonOf(cause));
  return new CountersignError("file_failed", `Cannot ${action} "${path}": ${reason}`, { cause });
}
