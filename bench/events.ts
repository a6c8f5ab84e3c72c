/**
 * Measures the cost of event streams: memory and processor time of the gateway, and the latency of a
 * client that submits one hash at a time.
 *
 *     deno task bench:events
 *
 * The gateway is a separate process with embedded witnesses and no limits. Idle followers filter on a
 * hash that is never submitted, live followers read all new events, and replays read all events from
 * the beginning. Meanwhile a burst of bulk requests submits hashes.
 *
 * @module
 */

import { join } from "node:path";
import { systemIo } from "../src/server/io.ts";
import { systemClock } from "../src/base/clock.ts";
import { randomDigests } from "./digests.ts";
import { EventFollowers } from "./event_followers.ts";
import { type ServerProcess } from "./load/server_process.ts";
import { TrialDeployment } from "./load/trial_deployment.ts";
import { machineLine, thisMachine } from "./machine.ts";
import { markdownTable, threeDigits } from "./markdown_table.ts";
import { quantile } from "./quantiles.ts";

/** Streams of each row. */
const ROWS = [
  { idle: 0, live: 0, replays: 0 },
  { idle: 0, live: 1, replays: 0 },
  { idle: 5_000, live: 1, replays: 0 },
  { idle: 0, live: 100, replays: 0 },
  { idle: 0, live: 1_000, replays: 0 },
  { idle: 0, live: 0, replays: 30 },
] as const;

/** Leaves of the replayed log. */
const PREFILL = 60_000;
const BURST = 3_000;
const BULK = 1_000;
/** Milliseconds of each measurement, and between two submissions of the client. */
const MEASURE_MS = 8_000;
const PAUSE_MS = 10;
const SETTLE_MS = 1_000;

const NEVER = "0".repeat(64);
const PATHS = {
  idle: `/v1/events?hash=${NEVER}`,
  live: "/v1/events",
  replays: "/v1/events?after=v1.0.0.0.0.0",
} as const;

async function post({ url }: ServerProcess, path: string, body: unknown): Promise<void> {
  const answer = await fetch(new URL(path, url), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`Submission failed with status ${answer.status}`);
}

function randomHashes(count: number): string[] {
  const hex = randomDigests(count).toHex();
  return Array.from({ length: count }, (_, i) => hex.slice(64 * i, 64 * i + 64));
}

/** Submits one hash after another for `ms`; returns the milliseconds of each submission. */
async function submitFor(server: ServerProcess, ms: number): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end;) {
    const start = performance.now();
    await post(server, "v1/attestations", { hash: randomHashes(1)[0] });
    times.push(performance.now() - start);
    await systemClock.sleep(PAUSE_MS);
  }
  return times;
}

async function burst(server: ServerProcess): Promise<void> {
  for (let sent = 0; sent < BURST; sent += BULK) {
    await post(server, "v1/attestations/batch", { hashes: randomHashes(BULK) });
  }
}

async function measure(server: ServerProcess, row: (typeof ROWS)[number]): Promise<string[]> {
  await submitFor(server, SETTLE_MS);
  const before = server.residentBytes() ?? NaN;
  let most = before;
  const watching = setInterval(() => most = Math.max(most, server.residentBytes() ?? NaN), 50);
  const cpuBefore = server.cpuMs() ?? NaN;
  using idle = await EventFollowers.open(server.url, PATHS.idle, row.idle);
  using live = await EventFollowers.open(server.url, PATHS.live, row.live);
  using replays = await EventFollowers.open(server.url, PATHS.replays, row.replays);
  // Replays start at once; other rows exclude the cost of opening the streams.
  if (row.replays === 0) await systemClock.sleep(SETTLE_MS);
  const bytesBefore = live.bytes + replays.bytes;
  const [times] = await Promise.all([submitFor(server, MEASURE_MS), burst(server)]);
  clearInterval(watching);
  return [
    `${row.idle} idle, ${row.live} live, ${row.replays} replays`,
    threeDigits(quantile(times, 0.5)),
    threeDigits(quantile(times, 0.99)),
    threeDigits((server.cpuMs() ?? NaN) - cpuBefore),
    threeDigits((live.bytes + replays.bytes - bytesBefore) / 2 ** 20),
    threeDigits((most - before) / 2 ** 20),
    String(idle.ended + live.ended + replays.ended),
  ];
}

const folder = await Deno.makeTempDir({ prefix: "countersign-bench-" });
const rows: string[][] = [];
try {
  for (const [i, row] of ROWS.entries()) {
    const deployment = await TrialDeployment.start({
      dataFolder: join(folder, String(i)),
      scheme: "ed25519",
      witnesses: "embedded",
      prefill: row.replays > 0 ? PREFILL : 0,
    });
    try {
      rows.push(await measure(deployment.gateway, row));
      systemIo.err(rows.at(-1)!.join("  "));
    } finally {
      await deployment.stop();
    }
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
systemIo.out(`a burst of ${BURST} hashes, ${machineLine(thisMachine())}\n`);
systemIo.out(markdownTable(
  ["streams", "client p50 ms", "client p99 ms", "CPU ms", "MiB sent", "MiB more", "disconnected"],
  rows,
));
