/**
 * Answers as bytes (RFC 9112 section 4), for the listener of event sockets.
 *
 * @module
 */

import { base64Of, type Bytes, concat, utf8 } from "../../base/bytes.ts";
import type { Clock } from "../../base/clock.ts";
import { EVENTS_SUBPROTOCOL } from "./events_request.ts";

/** Appended to a client's key before it is hashed (RFC 6455 section 1.3). */
const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** The answer to a handshake with `key`; `named` if the client named our subprotocol. */
export async function switchingBytes(key: string, named: boolean): Promise<Bytes> {
  const digest = await crypto.subtle.digest("SHA-1", utf8(key + KEY_SUFFIX));
  return headBytes("101 Switching Protocols", [
    ["Upgrade", "websocket"],
    ["Connection", "Upgrade"],
    ["Sec-WebSocket-Accept", base64Of(new Uint8Array(digest))],
    ...(named ? [["Sec-WebSocket-Protocol", EVENTS_SUBPROTOCOL] as const] : []),
  ]);
}

/** The whole of `response` to a request with `method`, after which the connection ends. */
export async function responseBytes(
  response: Response,
  method: string,
  clock: Clock,
): Promise<Bytes> {
  const body = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  headers.set("Connection", headers.has("Upgrade") ? "close, Upgrade" : "close");
  headers.set("Content-Length", String(body.length));
  headers.set("Date", new Date(clock.nowMs()).toUTCString());
  // A reason phrase may be empty.
  const head = headBytes(`${response.status} `, [...headers]);
  return method === "HEAD" ? head : concat(head, body);
}

function headBytes(
  status: string,
  fields: readonly (readonly [name: string, value: string])[],
): Bytes {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return utf8(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`);
}
