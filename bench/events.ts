/**
 * What followers of events cost a gateway: memory for each, and processor time for what it tells.
 *
 *     deno task bench:events
 *
 * The gateway is a process of its own with embedded witnesses; hashes come in bulk requests. Idle
 * followers ask for hashes that never come, busy ones for everything.
 *
 * @module
 */

import { join } from "node:path";
import { systemIo } from "../src/cli/io.ts";
import { systemClock } from "../src/clock.ts";
import { randomDigests } from "./digests.ts";
import { EventFollowers } from "./event_followers.ts";
import { type ServerProcess } from "./load/server_process.ts";
import { TrialDeployment } from "./load/trial_deployment.ts";
import { machineLine, thisMachine } from "./machine.ts";
import { markdownTable, threeDigits } from "./markdown_table.ts";

/** Followers of each row. */
const ROWS = [
  { idle: 0, busy: 0 },
  { idle: 0, busy: 1 },
  { idle: 1_000, busy: 1 },
  { idle: 5_000, busy: 1 },
  { idle: 0, busy: 500 },
  { idle: 5_000, busy: 500 },
] as const;

const BULK = 20;
const REQUESTS = 30;
/** Milliseconds between two requests: a pace that every row keeps. */
const PAUSE_MS = 100;
/** Of an event on the wire, about: its text and the frame's head. */
const EVENT_BYTES = 172;
const SETTLE_MS = 3_000;

async function submit({ url }: ServerProcess): Promise<void> {
  for (let request = 0; request < REQUESTS; request++) {
    const hex = randomDigests(BULK).toHex();
    const hashes = Array.from({ length: BULK }, (_, i) => hex.slice(64 * i, 64 * i + 64));
    const answer = await fetch(new URL("v1/attestations/batch", url), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ hashes }),
    });
    await answer.body?.cancel();
    await systemClock.sleep(PAUSE_MS);
  }
}

interface Measured {
  readonly kibPerFollower: number;
  readonly cpuMs: number;
  readonly frames: number;
  readonly ended: number;
}

async function measure(
  server: ServerProcess,
  { idle, busy }: (typeof ROWS)[number],
): Promise<Measured> {
  const before = server.residentBytes() ?? NaN;
  const nobody = (place: number) => `?hash=${place.toString(16).padStart(64, "0")}`;
  using idlers = await EventFollowers.open(server.url, idle, nobody);
  using readers = await EventFollowers.open(server.url, busy, () => "");
  await systemClock.sleep(SETTLE_MS);
  const grown = (server.residentBytes() ?? NaN) - before;
  const [cpuBefore, bytesBefore] = [server.cpuMs() ?? NaN, readers.bytes];
  await submit(server);
  await systemClock.sleep(SETTLE_MS);
  return {
    kibPerFollower: grown / 1024 / (idlers.count + readers.count),
    cpuMs: (server.cpuMs() ?? NaN) - cpuBefore,
    frames: Math.round((readers.bytes - bytesBefore) / EVENT_BYTES),
    ended: idlers.ended + readers.ended,
  };
}

const folder = await Deno.makeTempDir({ prefix: "countersign-bench-" });
const rows: string[][] = [];
try {
  for (const row of ROWS) {
    const dataFolder = join(folder, `${row.idle}-${row.busy}`);
    const deployment = await TrialDeployment.start({
      dataFolder,
      scheme: "ed25519",
      witnesses: "embedded",
      prefill: 0,
    });
    try {
      await submit(deployment.gateway);
      const { kibPerFollower, cpuMs, frames, ended } = await measure(deployment.gateway, row);
      rows.push([
        `${row.idle} idle, ${row.busy} busy`,
        threeDigits(kibPerFollower),
        threeDigits(cpuMs),
        String(frames),
        threeDigits(1000 * cpuMs / (BULK * REQUESTS)),
        String(ended),
      ]);
      systemIo.err(rows.at(-1)!.join("  "));
    } finally {
      await deployment.stop();
    }
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
systemIo.out(`${BULK * REQUESTS} hashes in ${REQUESTS} requests, ${machineLine(thisMachine())}\n`);
systemIo.out(markdownTable(
  ["followers", "KiB each", "CPU ms", "frames sent", "CPU us a hash", "sent away"],
  rows,
));
