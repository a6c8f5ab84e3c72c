/**
 * Requests as HTTP/1.1 texts, so that damage reaches the method, path, headers and body.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { type Bytes, utf8 } from "../../src/base/bytes.ts";

/** A request to encode. */
export interface SpeltRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Encodes `request` for a socket; the connection ends with the answer. */
export function spell({ method, path, headers = {}, body }: SpeltRequest): Bytes {
  const lines = Object.entries({
    "Host": "gateway.test",
    "Connection": "close",
    ...headers,
    ...(body !== undefined && { "Content-Length": String(utf8(body).length) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return utf8(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`);
}

/**
 * Decodes `input` for an app without a socket; `undefined` if no server would accept it. Framing
 * headers are dropped: the body is the rest of the input.
 */
export function requestOf(input: Bytes): Request | undefined {
  // One character for each byte, so that offsets in the text are offsets in the bytes.
  const text = Buffer.from(input).toString("latin1");
  const end = /\r?\n\r?\n/.exec(text);
  const head = end === null ? text : text.slice(0, end.index);
  const [line = "", ...fields] = head.split(/\r?\n/);
  const [, method = "", path = ""] = /^(\S+) (\S+) HTTP\/1\.[01]$/.exec(line) ?? [];
  // No server passes these on, and Deno's Headers are slow to refuse them.
  // deno-lint-ignore no-control-regex
  if (!path.startsWith("/") || /[\0-\x08\x0b-\x1f\x7f]/.test(fields.join())) return undefined;
  const body = end === null ? new Uint8Array() : input.slice(end.index + end[0].length);
  try {
    const headers = new Headers(fields.map((field) => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon), field.slice(colon + 1).trim()] as [string, string];
    }));
    for (const name of ["content-length", "transfer-encoding", "connection"]) headers.delete(name);
    return new Request(`http://gateway.test${path}`, {
      method,
      headers,
      ...(body.length > 0 && !/^(GET|HEAD)$/i.test(method) && { body }),
    });
  } catch {
    // An invalid method or header.
    return undefined;
  }
}
