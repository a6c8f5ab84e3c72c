/**
 * Command lines to copy, quoted for a POSIX shell.
 *
 * @module
 */

import { utf8 } from "../../base/bytes.ts";

/** Quotes `word` where a shell would change it. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A leading `./` keeps a name that begins with a hyphen from being an option. */
export function fileWord(name: string): string {
  return shellWord(name.startsWith("-") ? `./${name}` : name);
}

/** The name of a file without its folders. */
export function lastName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** How the name of a saved proof ends. */
export const BUNDLE_END = ".countersign.json";

/** Bytes of a name that every file system stores. */
const MAX_NAME_BYTES = 255;

/** `start` and `end` together, with a shorter `start` if the name of the file were too long. */
export function fittingName(start: string, end: string): string {
  const name = lastName(start);
  const bytes = utf8(name);
  let length = MAX_NAME_BYTES - utf8(end).length;
  if (bytes.length <= length) return start + end;
  // Not within a character.
  while ((bytes[length]! & 0xc0) === 0x80) length--;
  const folders = start.slice(0, start.length - name.length);
  return folders + new TextDecoder().decode(bytes.subarray(0, length)) + end;
}

/** The file name of a bundle, from the name of the stamped file or else from the hash. */
export function bundleName(
  row: { readonly name?: string | undefined; readonly hash: string },
): string {
  return fittingName(row.name ?? row.hash.slice(0, 16), BUNDLE_END);
}

/** Verifies the bundle, saved beside its file, under the configuration that the command line has pinned. */
export function verifyCommand(
  row: { readonly name?: string | undefined; readonly hash: string },
): string {
  const bundle = bundleName(row);
  if (row.name === undefined) {
    return `countersign verify-proof --bundle ${fileWord(bundle)} --hash ${row.hash}`;
  }
  const isExpected = bundle === row.name + BUNDLE_END;
  const proof = isExpected ? "" : `--proof ${fileWord(bundle)} `;
  return `countersign verify ${proof}${fileWord(row.name)}`;
}

/** Verifies the latest tree head of the gateway, or of the copy of a log, whose page is at `url`. */
export function headCommand(url: URL, isCopy: boolean): string {
  const option = isCopy ? "--mirror" : "--gateway";
  return `countersign log sth --verify ${option} ${shellWord(new URL(".", url).href)}`;
}
