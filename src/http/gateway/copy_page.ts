/**
 * The explorer's page in a static copy of a log. A static host sets no headers, so the document itself has
 * the Content-Security-Policy.
 *
 * @module
 */

import { textOf } from "../../bytes.ts";
import { loadPageFiles, type PageFiles } from "./explorer_assets.ts";
import { pagePolicy } from "./explorer_routes.ts";

const START = '<meta charset="utf-8">';

/** The document of a copy, and the files that it names, at `/assets/...`. */
export interface CopyPage {
  readonly document: string;
  readonly files: PageFiles;
}

/** `file_failed` if a file of the page is not readable. */
export async function loadCopyPage(): Promise<CopyPage> {
  const files = new Map(await loadPageFiles({ isCopy: true }));
  const document = textOf(files.get("/")!.bytes);
  files.delete("/");
  // frame-ancestors has no effect in a meta element.
  const policy = pagePolicy([]).replace("; frame-ancestors 'none'", "");
  const guard = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return { document: document.replace(START, `${START}\n    ${guard}`), files };
}
