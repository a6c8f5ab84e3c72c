/**
 * Files and folders that only their owner may read.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { mkdir, readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { CountersignError } from "../base/errors.ts";
import { systemCode } from "../base/system_error.ts";
import { createFile, failed, MAX_NAME, replaceFile } from "./replaced_file.ts";

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
