/**
 * Lists of SHA-256 digests as `sha256sum` writes and checks them: one line for each file.
 *
 *     <64 hex>  <name>            GNU; `*` in place of the second space is accepted
 *     \<64 hex>  <escaped name>   a name with `\`, newline or carriage return, written `\\`, `\n`, `\r`
 *     SHA256 (<name>) = <64 hex>  BSD; accepted only
 *
 * A list of `sha256sum -z` is accepted, too: each entry ends with NUL, and names are not escaped.
 *
 * @module
 */

import { errorBuilder } from "../../base/errors.ts";

const malformed = errorBuilder("malformed_text", "Cannot read checksum list");

export interface ListedFile {
  readonly name: string;
  /** 64 lowercase hex digits. */
  readonly hash: string;
}

const GNU = /^(\\?)([0-9a-fA-F]{64}) [ *](.+)$/s;
const BSD = /^SHA256 \((.+)\) = ([0-9a-fA-F]{64})$/s;
/** The beginning of an entry after a control character or a separator of Unicode. */
const NEXT_ENTRY = /[\p{Cc}\u2028\u2029] *(?:\\?[0-9a-f]{64} [ *]|\\?SHA256 \()/iu;

/** The list as text that `sha256sum -c` accepts. */
export function encodeChecksums(files: readonly ListedFile[]): string {
  return files.map(({ name, hash }) => {
    const escaped = name.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
    return `${escaped === name ? "" : "\\"}${hash}  ${escaped}\n`;
  }).join("");
}

/**
 * Reads a list. Lines that are empty or begin with `#` are ignored, and lines may end with CRLF; a list
 * of `-z` has entries alone. `malformed_text` for any other line, for an entry that may be several, for
 * an empty list, and for a name with two digests.
 */
export function parseChecksums(text: string): readonly ListedFile[] {
  const files = new Map<string, string>();
  const endsWithNul = text.includes("\0");
  for (const [i, entry] of (endsWithNul ? nulEntries(text) : lines(text)).entries()) {
    const at = `${endsWithNul ? "entry" : "line"} ${i + 1}`;
    // `sha256sum` escapes line ends in names, so what looks like two entries is a list of another kind.
    if (NEXT_ENTRY.test(entry) || (!endsWithNul && entry.includes("\r"))) {
      throw malformed(`${at} has a separator inside (write one entry a line, or use sha256sum -z)`);
    }
    if (!endsWithNul && (entry === "" || entry.startsWith("#"))) continue;
    const file = listedFile(entry, { isEscaped: !endsWithNul });
    if (file === undefined) throw malformed(`${at} is not "<SHA-256>  <name>"`);
    const known = files.get(file.name);
    if (known !== undefined && known !== file.hash) {
      throw malformed(`${at} repeats a name with another digest`);
    }
    files.set(file.name, file.hash);
  }
  if (files.size === 0) throw malformed("it lists no file");
  return [...files].map(([name, hash]) => ({ name, hash }));
}

/** An entry of any algorithm, or of a digest with another length. */
const ANY_ENTRY = /^(?:\\?[0-9a-f]{32,128} [ *]\S|[a-z][a-z0-9-]* ?\(.+\) ?= ?[0-9a-f]{32,128})/i;
const PREAMBLE = /^(?:\s*$|#|-----BEGIN PGP SIGNED MESSAGE-----|Hash: )/;

/** Whether text that begins with `begin` seems to be a list, of any algorithm, also if it does not parse. */
export function looksLikeChecksums(begin: string): boolean {
  const first = lines(begin).find((line) => !PREAMBLE.test(line));
  return first !== undefined && ANY_ENTRY.test(first);
}

function lines(text: string): readonly string[] {
  return text.split("\n").map((line) => line.endsWith("\r") ? line.slice(0, -1) : line);
}

function nulEntries(text: string): readonly string[] {
  if (!text.endsWith("\0")) throw malformed("it has NUL characters, but does not end with one");
  return text.slice(0, -1).split("\0");
}

function listedFile(
  line: string,
  { isEscaped }: { readonly isEscaped: boolean },
): ListedFile | undefined {
  const gnu = GNU.exec(line);
  if (gnu !== null) {
    const [, escape, hash, written] = gnu;
    if (escape !== "" && !isEscaped) return undefined;
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
