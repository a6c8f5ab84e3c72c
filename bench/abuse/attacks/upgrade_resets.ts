/**
 * TCP connections that ask for a WebSocket and are reset within 3 ms: before, during or after the
 * upgrade.
 *
 * @module
 */

import { connect } from "node:net";
import { systemClock } from "../../../src/base/clock.ts";
import { type Attack, repeat, type Tally } from "../attack.ts";
import { upgradeRequest } from "./socket_flood.ts";

const LATEST_RESET_MS = 3;
const MOST_RESETS = 10_000;

export const upgradeResets: Attack = async ({ socketUrl, connections }, tally, signal) => {
  const url = new URL(socketUrl);
  let left = MOST_RESETS;
  await repeat(connections, signal, async () => {
    if (left-- > 0) await resetOnce(url, tally);
    else await systemClock.sleep(100);
  });
};

function resetOnce(url: URL, tally: Tally): Promise<void> {
  tally.sent++;
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    let answer = "";
    socket.on("data", (bytes) => answer += bytes.toString("latin1"));
    // A server that is out of descriptors refuses or resets.
    socket.on("error", () => {});
    socket.once("connect", () => {
      socket.write(upgradeRequest(url));
      setTimeout(() => socket.resetAndDestroy(), Math.random() * LATEST_RESET_MS);
    });
    socket.once("close", () => {
      if (answer === "" || answer.startsWith("HTTP/1.1 101")) tally.accepted++;
      else tally.refused++;
      resolve();
    });
  });
}
