/**
 * `stamp --manifest`: one checksum list, and one proof of it, for many files.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { dirname, relative, resolve, sep } from "node:path";
import { CountersignError } from "../../base/errors.ts";
import { encodeChecksums } from "../../proof/format/checksum_list.ts";
import { replaceFile, textIfExists } from "../../server/replaced_file.ts";
import type { CommandContext } from "../command_context.ts";
import { STDIN } from "../input_file.ts";
import type { StampInput } from "./stamp_inputs.ts";

/**
 * Writes the list of `inputs` to `name`, with names relative to its folder, and returns it as the one
 * input. `file_failed` if a file could not be hashed or is outside the folder, or if another list
 * exists there.
 */
export async function writeManifest(
  context: CommandContext,
  name: string,
  inputs: readonly StampInput[],
): Promise<StampInput> {
  const path = context.io.resolvePath(name);
  const folder = dirname(resolve(path));
  const hashes = new Map<string, string>();
  for (const { name: file, hash, error } of inputs) {
    if (error !== undefined) throw error;
    if (file === undefined || file === STDIN || hash === undefined) {
      throw new CountersignError(
        "usage",
        `Cannot write "${name}": a list needs files with names: name files or folders`,
      );
    }
    const listed = relative(folder, resolve(context.io.resolvePath(file))).split(sep).join("/");
    if (listed === "" || listed === ".." || listed.startsWith("../") || listed.includes(":/")) {
      throw failed(name, `"${file}" is outside its folder (write the list in a folder above)`);
    }
    hashes.set(listed, hash);
  }
  if (hashes.size === 0) throw failed(name, "there are no files to list");
  const files = [...hashes].map(([listed, hash]) => ({ name: listed, hash }));
  const text = encodeChecksums(files.toSorted((a, b) => a.name < b.name ? -1 : 1));
  const known = await textIfExists(path);
  if (known !== undefined && known !== text) {
    throw failed(
      name,
      "it exists with other content, which may be proved (move it away with its proof)",
    );
  }
  if (known === undefined) await replaceFile(path, text, 0o644);
  return { name, hash: createHash("sha256").update(text).digest("hex") };
}

function failed(name: string, problem: string): CountersignError {
  return new CountersignError("file_failed", `Cannot write "${name}": ${problem}`);
}
