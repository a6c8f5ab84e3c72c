/**
 * Reads small files of an operator.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { type Bytes, textOf } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import { systemCode, systemProblem } from "../base/system_error.ts";
import { namingFile } from "./validation.ts";

/**
 * The text of the file at `path`. `configuration_missing` if it does not exist, `file_failed` if it
 * cannot be read, `malformed_text` if it is not UTF-8.
 */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readBytesFile(path);
  return namingFile(path, () => textOf(bytes));
}

/** The bytes of the file at `path`; errors as {@linkcode readTextFile}. */
export function readBytesFile(path: string): Promise<Bytes> {
  return withFileErrors(path, async () => new Uint8Array(await readFile(path)));
}

/** Returns what `read` reads from `path`, with the errors of {@linkcode readTextFile}. */
export async function withFileErrors(path: string, read: () => Promise<Bytes>): Promise<Bytes> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    if (systemCode(cause) === "ENOENT") {
      throw new CountersignError(
        "configuration_missing",
        `Cannot read "${path}": there is no such file`,
        { cause },
      );
    }
    throw new CountersignError(
      "file_failed",
      `Cannot read "${path}": ${systemProblem(cause)}`,
      { cause },
    );
  }
}
