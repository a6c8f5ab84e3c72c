/**
 * Files and folders that must not exist yet, and that only their owner may read.
 *
 * @module
 */

import { utf8 } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { plainReason, reasonOf } from "../storage/store_fault.ts";

/** Makes the folder `path` and its parents, for its owner alone. `file_failed`. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw failed(path, "a folder that can be made", cause);
  }
}

/**
 * Writes `content` to a new file at `path` with permission bits `mode`, on disk when it returns.
 * `file_failed`, also when the file is there; a file that could not be written whole is removed.
 */
export async function writeNewFile(
  path: string,
  content: string | Uint8Array,
  mode: number,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  try {
    const file = await Deno.open(path, { createNew: true, write: true, mode });
    const unfinished = opened.use(new AsyncDisposableStack());
    unfinished.defer(() => Deno.remove(path));
    opened.defer(() => file.close());
    let rest = typeof content === "string" ? utf8(content) : content;
    while (rest.length > 0) rest = rest.subarray(await file.write(rest));
    await file.sync();
    unfinished.move();
  } catch (cause) {
    throw failed(path, "a new file that can be written", cause);
  }
}

function failed(path: string, required: string, cause: unknown): CountersignError {
  const found = cause instanceof Deno.errors.AlreadyExists
    ? "one that is there"
    : plainReason(reasonOf(cause));
  return new CountersignError(
    "file_failed",
    `Cannot write "${path}": ${required} required, found ${found}`,
    { cause },
  );
}
