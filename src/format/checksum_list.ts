/**
 * Lists of SHA-256 digests as `sha256sum` writes and checks them: one line for each file.
 *
 *     <64 hex>  <name>            GNU; `*` in place of the second space is accepted
 *     \<64 hex>  <escaped name>   a name with `\`, newline or carriage return, written `\\`, `\n`, `\r`
 *     SHA256 (<name>) = <64 hex>  BSD; accepted only
 *
 * @module
 */

import { errorBuilder } from "../errors.ts";

const malformed = errorBuilder("malformed_text", "Cannot read checksum list");

export interface ListedFile {
  readonly name: string;
  /** 64 lowercase hex digits. */
  readonly hash: string;
}

const GNU = /^(\\?)([0-9a-fA-F]{64}) [ *](.+)$/s;
const BSD = /^SHA256 \((.+)\) = ([0-9a-fA-F]{64})$/s;

/** The list as text that `sha256sum -c` accepts. */
export function encodeChecksums(files: readonly ListedFile[]): string {
  return files.map(({ name, hash }) => {
    const escaped = name.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
    return `${escaped === name ? "" : "\\"}${hash}  ${escaped}\n`;
  }).join("");
}

/**
 * Reads a list. Lines that are empty or begin with `#` are ignored, and lines may end with CRLF.
 * `malformed_text` for any other line, for an empty list, and for a name with two digests.
 */
export function parseChecksums(text: string): readonly ListedFile[] {
  const files = new Map<string, string>();
  for (const [i, line] of text.split("\n").entries()) {
    const content = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (content === "" || content.startsWith("#")) continue;
    const file = listedFile(content);
    if (file === undefined) throw malformed(`line ${i + 1} is not "<SHA-256>  <name>"`);
    const known = files.get(file.name);
    if (known !== undefined && known !== file.hash) {
      throw malformed(`line ${i + 1} repeats a name with another digest`);
    }
    files.set(file.name, file.hash);
  }
  if (files.size === 0) throw malformed("it lists no file");
  return [...files].map(([name, hash]) => ({ name, hash }));
}

function listedFile(line: string): ListedFile | undefined {
  const gnu = GNU.exec(line);
  if (gnu !== null) {
    const [, escape, hash, written] = gnu;
    const name = escape === "" ? written! : unescaped(written!);
    return name === undefined ? undefined : { name, hash: hash!.toLowerCase() };
  }
  const bsd = BSD.exec(line);
  return bsd === null ? undefined : { name: bsd[1]!, hash: bsd[2]!.toLowerCase() };
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\", n: "\n", r: "\r" };

function unescaped(written: string): string | undefined {
  if (/\\(?![\\nr])/.test(written.replaceAll("\\\\", ""))) return undefined;
  return written.replaceAll(/\\([\\nr])/g, (_, letter) => ESCAPES[letter]!);
}
