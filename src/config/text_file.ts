/**
 * Reads small files of an operator.
 *
 * @module
 */

import { type Bytes, textOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";

/**
 * The text of the file at `path`. `configuration_missing` if it does not exist, `file_failed` if it
 * cannot be read, `malformed_text` if it is not UTF-8.
 */
export async function readTextFile(path: string): Promise<string> {
  return textOf(await readBytesFile(path));
}

/** The bytes of the file at `path`; errors as {@linkcode readTextFile}. */
export function readBytesFile(path: string): Promise<Bytes> {
  return withFileErrors(path, () => Deno.readFile(path));
}

/** Returns what `read` reads from `path`, with the errors of {@linkcode readTextFile}. */
export async function withFileErrors(path: string, read: () => Promise<Bytes>): Promise<Bytes> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    if (cause instanceof Deno.errors.NotFound) {
      throw new CountersignError(
        "configuration_missing",
        `Cannot read "${path}": there is no such file`,
        { cause },
      );
    }
    throw new CountersignError(
      "file_failed",
      `Cannot read "${path}": ${cause instanceof Error ? cause.name : "unknown error"}`,
      { cause },
    );
  }
}
