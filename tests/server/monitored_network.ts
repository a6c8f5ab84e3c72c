/**
 * Runs of a monitor, and the log of a test network as a gateway shows it to one.
 *
 * @module
 */

import { join } from "node:path";
import { concat, fromHex, utf8 } from "../../src/base/bytes.ts";
import { systemClock, unixSeconds } from "../../src/base/clock.ts";
import { encodeAttestation } from "../../src/proof/format/attestation.ts";
import { encodeCheckpoint } from "../../src/proof/format/checkpoint.ts";
import type { LogSource } from "../../src/logs/publishing/ports.ts";
import { serveMonitor } from "../../src/server/monitor/monitor_server.ts";
import { loggedHead } from "../gateway/federation/histories.ts";
import type { TestLog } from "../proof/verify/fixture.ts";
import { CapturedIo } from "./captured_io.ts";

/** Runs the monitor of `<folder>/monitor.json` once. */
export async function once(folder: string) {
  const io = new CapturedIo({ folder });
  const options = { config: join(folder, "monitor.json"), once: true, json: true };
  const code = await serveMonitor(options, io, new AbortController().signal);
  const lines = io.outLines.map((line) => JSON.parse(line));
  return { code, alerts: lines.slice(0, -1), summary: lines.at(-1) };
}

/** Writes `monitor.json`. */
export async function configure(folder: string, members: Record<string, unknown>): Promise<void> {
  const all = { state_folder: "monitor", grace_seconds: 0, ...members };
  await Deno.writeTextFile(join(folder, "monitor.json"), JSON.stringify(all));
}

/** `log`, of fewer than 256 entries, as a gateway shows it. */
export function sourceOfNetwork(log: TestLog): LogSource {
  const { configuration } = log.network;
  const texts = log.attestations.map(({ attestation }) => utf8(encodeAttestation(attestation)));
  return {
    name: log.network.id,
    succession: () => Promise.resolve({ value: [] }),
    checkpoint() {
      const timestamp = unixSeconds(systemClock);
      const { sth, logSignature } = loggedHead(log, log.size, { timestamp });
      const log_signature = logSignature.toHex();
      return Promise.resolve(encodeCheckpoint(configuration, { ...sth, log_signature }));
    },
    tile: ({ level, width }) =>
      Promise.resolve(
        level === "entries"
          ? concat(
            ...texts.slice(0, width).flatMap((text) => [
              Uint8Array.of(text.length >> 8, text.length & 0xff),
              text,
            ]),
          )
          : fromHex(texts.slice(0, width).map((_, i) => log.leafHash(i)).join("")),
      ),
  };
}
