/**
 * Reads an operator's file that holds secrets: keys, tokens, or a configuration with tokens.
 *
 * @module
 */

import type { Stats } from "node:fs";
import { open } from "node:fs/promises";
import process from "node:process";
import { type Bytes, textOf } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import { withFileErrors } from "./text_file.ts";
import { namingFile } from "./validation.ts";

/** Mode bits of the group and others. */
const OTHERS = 0o077;
const PERMISSIONS = 0o7777;

/**
 * The text of the file at `path`. `file_failed` if its mode gives others access (not checked on
 * Windows); other errors as `readTextFile`.
 */
export async function readPrivateFile(path: string): Promise<string> {
  const bytes = await withFileErrors(path, () => readPrivateBytes(path));
  return namingFile(path, () => textOf(bytes));
}

async function readPrivateBytes(path: string): Promise<Bytes> {
  const file = await open(path);
  try {
    requirePrivate(path, await file.stat());
    return new Uint8Array(await file.readFile());
  } finally {
    await file.close();
  }
}

/** `found` is of the open file: the path may name another one by now. */
function requirePrivate(path: string, found: Stats): void {
  const { mode } = found;
  // A pipe stores nothing, and Windows has no modes.
  if (found.isFile() && process.platform !== "win32" && (mode & OTHERS) !== 0) {
    throw new CountersignError(
      "file_failed",
      `Cannot use "${path}": it holds secrets, and its mode ${octal(mode)} gives others access. ` +
        `Run: chmod 600 "${path}"`,
    );
  }
}

function octal(mode: number): string {
  return (mode & PERMISSIONS).toString(8).padStart(4, "0");
}
