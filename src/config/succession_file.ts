/**
 * The finished succession beside a configuration. It has no secrets.
 *
 * @module
 */

import { hasCode } from "../base/errors.ts";
import { parseSuccession, type Succession } from "../proof/format/succession.ts";
import { readTextFile } from "./text_file.ts";
import { namingFile } from "./validation.ts";

/**
 * The succession in the file at `path`; `undefined` if there is no file. `malformed_configuration`,
 * `file_failed`. Its signatures are not checked here.
 */
export async function readSuccessionFile(path: string): Promise<Succession | undefined> {
  let text: string;
  try {
    text = await readTextFile(path);
  } catch (error) {
    if (hasCode(error, "configuration_missing")) return undefined;
    throw error;
  }
  return namingFile(path, () => parseSuccession(text));
}

/**
 * Reads the succession again on each call. A file that cannot be used counts as missing, and is reported
 * once.
 */
export function successionReader(
  path: string,
  report: (error: unknown) => void,
): () => Promise<Succession | undefined> {
  let reported = "";
  return async () => {
    try {
      return await readSuccessionFile(path);
    } catch (error) {
      const message = String(error);
      if (message !== reported) report(error);
      reported = message;
      return undefined;
    }
  };
}
