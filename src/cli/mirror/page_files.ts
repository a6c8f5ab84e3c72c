/* * Writes the explorer's page into a copy of a log.
 *
 * @module
 */

import { join } from "node:path";
import { CountersignError } from "../../errors.ts";
import { publicNetworkJson } from "../../format/public_network.ts";
import { loadCopyPage } from "../../http/gateway/copy_page.ts";
import type { CopyTarget } from "../../publishing/ports.ts";
import { replaceFile } from "../../server/files.ts";
import type { CopySource } from "./copy_run.ts";

const PUBLIC_MODE = 0o644;

/** Replaces the document last: it names the other files. `usage` for a log that is no network of ours. */
export async function writePage(
  folder: string,
  target: Pick<CopyTarget, "putNew">,
  { trusted }: CopySource,
): Promise<void> {
  if (trusted === undefined) {
    throw new CountersignError(
      "usage",
      "Cannot write the page: name the network with --network-config instead of --vkey",
    );
  }
  const { document, files } = await loadCopyPage();
  // Their names are hashes of their content.
  for (const [path, { bytes }] of files) await target.putNew(path.slice(1), bytes);
  const network = publicNetworkJson(trusted.network);
  await replaceFile(join(folder, "network.public.json"), network, PUBLIC_MODE);
  await replaceFile(join(folder, "index.html"), document, PUBLIC_MODE);
}
