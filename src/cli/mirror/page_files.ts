/**
 * Writes the explorer's page into a copy of a log.
 *
 * @module
 */

import { textOf, utf8 } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import { publicNetworkJson } from "../../proof/format/public_network.ts";
import { loadPageFiles, type PageFiles } from "../../http/gateway/explorer_assets.ts";
import { pagePolicy } from "../../http/gateway/explorer_routes.ts";
import type { PageTarget } from "../../logs/publishing/ports.ts";
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

const START = '<meta charset="utf-8">';

/** The document of a copy, and the files that it names, at `/assets/...`. */
interface CopyPage {
  readonly document: string;
  readonly files: PageFiles;
}

/** `file_failed` if a file of the page is not readable. */
async function loadCopyPage(): Promise<CopyPage> {
  const files = new Map(await loadPageFiles({ isCopy: true }));
  const document = textOf(files.get("/")!.bytes);
  files.delete("/");
  // frame-ancestors has no effect in a meta element.
  const policy = pagePolicy([]).replace("; frame-ancestors 'none'", "");
  const guard = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return { document: document.replace(START, `${START}\n    ${guard}`), files };
}
