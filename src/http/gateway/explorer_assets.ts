/**
 * Loads the committed files of the explorer's page at start. Asset paths contain a hash of the
 * content, so browsers can cache them forever; they revalidate only the document.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { type Bytes, textOf, utf8 } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import { PAGE_FOLDER, WASM_FOLDER } from "../../base/program_files.ts";
import { type PageFile, pageFile } from "../page_file.ts";

const DOCUMENT = "index.html";
const SCRIPT = "main.js";
/** In place of {@linkcode SCRIPT} in a copy of a log. */
const COPY_SCRIPT = "copy.js";

/** The folder of every other file of the page. */
const FILES: Readonly<Record<string, URL>> = {
  [SCRIPT]: PAGE_FOLDER,
  "main.css": PAGE_FOLDER,
  "hash_worker.js": PAGE_FOLDER,
  "long_hashes.js": PAGE_FOLDER,
  "timestamps.js": PAGE_FOLDER,
  "start_check.js": PAGE_FOLDER,
  "icon.svg": PAGE_FOLDER,
  "hashing.simd.wasm": WASM_FOLDER,
  "hashing.scalar.wasm": WASM_FOLDER,
  "bls.fma.wasm": WASM_FOLDER,
  "bls.scalar.wasm": WASM_FOLDER,
};

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  wasm: "application/wasm",
};

/** All files that {@linkcode loadPageFiles} reads. */
export const PAGE_URLS: readonly URL[] = [
  [DOCUMENT, PAGE_FOLDER] as const,
  ...Object.entries(FILES),
]
  .map(([name, folder]) => new URL(name, folder));

/** All files by path: the document at `/`, the others below `/assets/`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Loads the page, of a gateway or of a copy of a log; `file_failed` if a file is not readable. */
export async function loadPageFiles({ isCopy = false } = {}): Promise<PageFiles> {
  const files = new Map<string, PageFile>();
  const names = new Map<string, string>();
  for (const [name, folder] of Object.entries(FILES)) {
    const source = isCopy && name === SCRIPT ? COPY_SCRIPT : name;
    const file = pageFile(mediaTypeOf(name), await read(source, folder));
    const dot = name.lastIndexOf(".");
    const path = `assets/${name.slice(0, dot)}.${file.digest.slice(0, 16)}${name.slice(dot)}`;
    names.set(name, path);
    files.set(`/${path}`, file);
  }
  const template = textOf(await read(DOCUMENT, PAGE_FOLDER));
  files.set("/", pageFile(mediaTypeOf(DOCUMENT), utf8(fillIn(template, names))));
  return files;
}

async function read(name: string, folder: URL): Promise<Bytes> {
  try {
    return new Uint8Array(await readFile(new URL(name, folder)));
  } catch (cause) {
    throw new CountersignError(
      "file_failed",
      `Cannot read the explorer's file ${name}; reinstall the program`,
      { cause },
    );
  }
}

/** Replaces `{{name}}` by the path of that file, and `{{assets}}` by the list of all paths. */
function fillIn(template: string, names: ReadonlyMap<string, string>): string {
  const list = Array.from(names, ([name, path]) => `${name}=${path}`).join(" ");
  return template.replaceAll(
    /\{\{([\w.]+)\}\}/g,
    (_, name) => name === "assets" ? list : names.get(name) ?? "",
  );
}

function mediaTypeOf(name: string): string {
  return MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)]!;
}
