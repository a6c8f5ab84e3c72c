/**
 * Reads an operator's file that holds secrets: keys, tokens, or a configuration with tokens.
 *
 * @module
 */

import { type Bytes, textOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { withFileErrors } from "./text_file.ts";

/** Mode bits of the group and others. */
const OTHERS = 0o077;
const PERMISSIONS = 0o7777;

/**
 * The text of the file at `path`. `file_failed` if its mode gives others access (not checked on
 * Windows); other errors as `readTextFile`.
 */
export async function readPrivateFile(path: string): Promise<string> {
  return textOf(await withFileErrors(path, () => readPrivateBytes(path)));
}

async function readPrivateBytes(path: string): Promise<Bytes> {
  using file = await Deno.open(path);
  // The mode of the open file: the path may name another file by now.
  const { mode, isFile } = await file.stat();
  // A pipe stores nothing.
  if (isFile && mode !== null && (mode & OTHERS) !== 0) {
    throw new CountersignError(
      "file_failed",
      `Cannot use "${path}": it holds secrets, and its mode ${octal(mode)} gives others access. ` +
        `Run: chmod 600 "${path}"`,
    );
  }
  return await new Response(file.readable).bytes();
}

function octal(mode: number): string {
  return (mode & PERMISSIONS).toString(8).padStart(4, "0");
}
