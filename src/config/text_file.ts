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
export function readBytesFile(path: string): Promise<Bytes> {
  return withFileErrors(path, () => Deno.readFile(path));
}

/** What `read` reads of the file at `path`; its failures become those of {@linkcode readTextFile}. */
export async function withFileErrors(path: string, read: () => Promise<Bytes>): Promise<Bytes> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
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
