/**
 * A client of `/v1/events` that reads events as fast as they arrive, without parsing them.
 *
 * @module
 */

import { utf8 } from "../../../src/base/bytes.ts";
import { systemClock } from "../../../src/base/clock.ts";
import type { Tally } from "../attack.ts";

/** Milliseconds between two attempts of a reader that was refused. */
const RETRY_MS = 100;
/** Shared by all readers: its content is never read. */
const BUFFER = new Uint8Array(256 * 1024);

/** Opens one stream and reads to its end, or until `signal` aborts. */
export async function readStream(
  url: string,
  query: string,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const { hostname, port, host } = new URL(url);
  tally.sent++;
  try {
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const onAbort = () => connection.close();
    signal.addEventListener("abort", onAbort);
    try {
      await connection.write(utf8(`GET /v1/events${query} HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
      const length = await connection.read(BUFFER) ?? 0;
      const isOpen = new TextDecoder().decode(BUFFER.subarray(9, Math.min(12, length))) === "200";
      if (isOpen) tally.accepted++;
      else {
        tally.refused++;
        await systemClock.sleep(RETRY_MS);
        return;
      }
      while (await connection.read(BUFFER) !== null);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  } catch {
    if (!signal.aborted) await systemClock.sleep(RETRY_MS);
  }
}
