/**
 * Writing a file so that a reader, or the next run after a crash, finds the old or the new text.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { CountersignError } from "../errors.ts";
import { plainReason, reasonOf } from "../storage/store_fault.ts";
import { writeNewFile } from "./new_files.ts";

/**
 * Creates or replaces the file at `path` with `text`: written beside it, on disk, then renamed.
 * `file_failed`.
 *
 * @param mode permission bits of the file
 */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const beside = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}`);
  await writeNewFile(beside, text, mode);
  try {
    await Deno.rename(beside, path);
  } catch (cause) {
    await Deno.remove(beside);
    throw new CountersignError(
      "file_failed",
      `Cannot write "${path}": a file that can be replaced required, found ${
        plainReason(reasonOf(cause))
      }`,
      { cause },
    );
  }
}
