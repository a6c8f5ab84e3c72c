/**
 * Reading a small file of an operator.
 *
 * @module
 */

import { type Bytes, textOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";

/**
 * The text of the file at `path`. `configuration_missing` when there is none, `file_failed` when it
 * cannot be read, `malformed_text` when it is not UTF-8.
 */
export async function readTextFile(path: string): Promise<string> {
  return textOf(await readBytesFile(path));
}

/** The bytes of the file at `path`; errors as of {@linkcode readTextFile}. */
export async function readBytesFile(path: string): Promise<Bytes> {
  try {
    return await Deno.readFile(path);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) {
      throw new CountersignError(
        "configuration_missing",
        `Cannot read "${path}": a file required, found none`,
        { cause },
      );
    }
    throw new CountersignError(
      "file_failed",
      `Cannot read "${path}": a readable file required, found ${
        cause instanceof Error ? cause.name : "otherwise"
      }`,
      { cause },
    );
  }
}
