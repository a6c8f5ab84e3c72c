/**
 * Writes the explorer's page into a copy of a log.
 *
 * @module
 */

import { utf8 } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import { publicNetworkJson } from "../../format/public_network.ts";
import { loadCopyPage } from "../../http/gateway/copy_page.ts";
import type { PageTarget } from "../../publishing/ports.ts";
import { flag } from "../options.ts";
import type { CopySource } from "./copy_run.ts";

export const pageOption = flag(
  "--page",
  "Also write the page and the configuration, so that browsers can read and verify the copy.",
);

/** Replaces the document last: it names the other files. `usage` for a log that is no network of ours. */
export async function writePage(
  target: Pick<PageTarget, "putPage">,
  { trusted }: CopySource,
): Promise<void> {
  if (trusted === undefined) {
    throw new CountersignError(
      "usage",
      "Cannot write the page: name the network with --network-config instead of --vkey",
    );
  }
  const { document, files } = await loadCopyPage();
  for (const [path, { bytes, mediaType }] of files) {
    await target.putPage(path.slice(1), { bytes, mediaType, isImmutable: true });
  }
  const named = [
    ["network.public.json", "application/json", publicNetworkJson(trusted.network)],
    ["index.html", "text/html; charset=utf-8", document],
  ] as const;
  for (const [path, mediaType, text] of named) {
    await target.putPage(path, { bytes: utf8(text), mediaType, isImmutable: false });
  }
}
