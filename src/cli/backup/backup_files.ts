/**
 * The files of a backup:
 *
 *     data/store.kv  data/anchors.kv   copies of the databases; the second only if there are anchors
 *     network.public.json              the public configuration
 *     checkpoint                       the latest tree head in the copy; absent before the first one
 *     SHA256SUMS                       of all these files, as `sha256sum` writes it
 *
 * @module
 */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "../../config/text_file.ts";
import { CountersignError } from "../../base/errors.ts";
import { encodeChecksums } from "../../proof/format/checksum_list.ts";
import { anchorsFile, storeFile } from "../../server/data_paths.ts";
import { exists } from "../../server/files.ts";
import { plainReason, reasonOf } from "../../storage/store_fault.ts";

export const PUBLIC_FILE = "network.public.json";
export const CHECKPOINT_FILE = "checkpoint";
export const SUMS_FILE = "SHA256SUMS";

/** Paths below the folder of a backup. */
const LISTED = [CHECKPOINT_FILE, anchorsFile("data"), storeFile("data"), PUBLIC_FILE];

/** The checksum list of the files that are in the backup `folder`. `file_failed`. */
export async function checksumsOf(folder: string): Promise<string> {
  const files: { readonly name: string; readonly hash: string }[] = [];
  for (const name of LISTED) {
    const path = join(folder, name);
    if (await exists(path)) files.push({ name, hash: await sha256Of(path) });
  }
  return encodeChecksums(files);
}

/**
 * `file_failed` if the backup `folder` has no checksum list, and thus is unfinished, or if it does not
 * have exactly the files that the list names.
 */
export async function checkChecksums(folder: string): Promise<void> {
  const path = join(folder, SUMS_FILE);
  if (!await exists(path)) {
    throw new CountersignError(
      "file_failed",
      `Cannot check "${folder}": it has no ${SUMS_FILE}, so it is not a finished backup`,
    );
  }
  const [listed, actual] = [await readTextFile(path), await checksumsOf(folder)];
  if (listed === actual) return;
  throw new CountersignError(
    "file_failed",
    `Cannot use the backup in "${folder}": its files are not those of its ${SUMS_FILE}. ` +
      `sha256sum -c ${SUMS_FILE} names the damaged ones`,
  );
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch (cause) {
    const reason = plainReason(reasonOf(cause));
    throw new CountersignError("file_failed", `Cannot read "${path}": ${reason}`, { cause });
  }
  return hash.digest("hex");
}
