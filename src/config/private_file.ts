/**
 * Reading an operator's file that holds secrets: keys, tokens, or a configuration with tokens in it.
 *
 * @module
 */

import { type Bytes, textOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { withFileErrors } from "./text_file.ts";

/** Bits of a file's mode that give its group and everyone else access. */
const OTHERS = 0o077;
const PERMISSIONS = 0o7777;

/**
 * The text of the file at `path`, which only its owner may access. `file_failed` when its mode gives
 * others access, or as of `readTextFile`. Windows has no modes; nothing is checked there.
 */
export async function readPrivateFile(path: string): Promise<string> {
  return textOf(await withFileErrors(path, () => readPrivateBytes(path)));
}

async function readPrivateBytes(path: string): Promise<Bytes> {
  using file = await Deno.open(path);
  // Of the open file: between a look at a path and its reading, another file could take its place.
  const { mode, isFile } = await file.stat();
  // A pipe keeps nothing that others could read later.
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
