/**
 * The head of one HTTP/1.1 request (RFC 9112 sections 3 and 5), for the listener of event sockets,
 * which reads requests itself.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";

/** A name that resolves nowhere (RFC 6761 section 6.4): which host a client asked for is unused. */
const ANY_HOST = "http://host.invalid";

const REQUEST_LINE = /^([A-Z]{1,16}) (\/[!-~]*) HTTP\/1\.1$/;
/** White space around a value is part of it here: a pattern that left it out would backtrack. */
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~\x80-\xff]*)$/;

/** Methods that become part of a metric's label; any other becomes `UNKNOWN`. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "OPTIONS"]);

/** The end of the head in `bytes`, its empty line included, if it ends behind `from`. */
export function headEnd(bytes: Bytes, from: number): number | undefined {
  for (let i = Math.max(from, 3); i < bytes.length; i++) {
    if (bytes[i] !== 0x0a || bytes[i - 1] !== 0x0d) continue;
    if (bytes[i - 2] === 0x0a && bytes[i - 3] === 0x0d) return i + 1;
  }
  return undefined;
}

/** The request that a whole `head` makes, without a body; `undefined` for a malformed one. */
export function readRequestHead(head: Bytes): Request | undefined {
  const text = Array.from(head, (byte) => String.fromCharCode(byte)).join("");
  if (!text.endsWith("\r\n\r\n")) return undefined;
  const [line = "", ...fields] = text.slice(0, -4).split("\r\n");
  const [, method, target] = REQUEST_LINE.exec(line) ?? [];
  if (method === undefined || target === undefined) return undefined;
  const headers = new Headers();
  for (const field of fields) {
    const [, name, value] = FIELD.exec(field) ?? [];
    if (name === undefined || value === undefined) return undefined;
    if (/^host$/i.test(name) && headers.has(name)) return undefined;
    headers.append(name, withoutBlanks(value));
  }
  if (!headers.has("Host")) return undefined;
  return new Request(ANY_HOST + target, {
    method: METHODS.has(method) ? method : "UNKNOWN",
    headers,
  });
}

/** `text` without tabs and spaces at its ends, in one pass. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start]!)) start++;
  while (end > start && isBlank(text[end - 1]!)) end--;
  return text.slice(start, end);
}

function isBlank(character: string): boolean {
  return character === " " || character === "\t";
}
