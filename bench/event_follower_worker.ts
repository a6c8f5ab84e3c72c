/**
 * Cheap clients of event streams in a separate thread: each is a socket whose bytes are counted and
 * not parsed, so that the measurement shows the cost of the server.
 *
 * @module
 */

/// <reference lib="deno.worker" />

import { utf8 } from "../src/base/bytes.ts";

/** Asks for `count` streams of `path` at the server of `url`. */
export interface FollowRequest {
  readonly url: string;
  readonly path: string;
  readonly count: number;
}

/** Events received by all streams together, and streams that the server ended. */
export interface FollowState {
  readonly open: number;
  readonly bytes: number;
  readonly ended: number;
}

/** Requests under way at a time. */
const AT_ONCE = 100;
/** Milliseconds between two reports. */
const REPORT_MS = 100;
/** Shared by all streams: its content is never read. */
const SHARED_BUFFER = new Uint8Array(256 * 1024);

const state = { open: 0, bytes: 0, ended: 0 };

async function connect({ url, path }: FollowRequest): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(utf8(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
  const head = new Uint8Array(4_096);
  const length = await connection.read(head) ?? 0;
  const status = new TextDecoder().decode(head.subarray(0, length)).slice(9, 12);
  if (status !== "200") throw new Error(`Cannot open stream: status ${status}`);
  state.open++;
  void countBytes(connection);
}

async function countBytes(connection: Deno.TcpConn): Promise<void> {
  for (;;) {
    const length = await connection.read(SHARED_BUFFER);
    if (length === null) break;
    state.bytes += length;
  }
  connection.close();
  state.ended++;
}

self.onmessage = async ({ data }: MessageEvent<FollowRequest>) => {
  for (let left = data.count; left > 0; left -= AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => connect(data)));
  }
  setInterval(() => self.postMessage(state), REPORT_MS);
};
