/**
 * Measures how rates grow with fronts on a machine with many cores, compared with a bare server with as
 * many threads:
 *
 *     deno run --config bench/deno.json -A bench/scale.ts [--fronts 0,1,2,4,8] [--connections 512]
 *       [--seconds 3] [--generators 4] [--prefill 20000] [--loads wait,bulk,status,bundle] [--pin]
 * Look-ups use hashes of the whole log. `wrk` must be installed and uses `--generators` threads. With
 * `--pin`, a gateway with k fronts has k + 1 cores, and `wrk` has the others.
 *
 * @module
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemIo } from "../src/server/io.ts";
import { randomDigests } from "./digests.ts";
import { Asker } from "./load/asker.ts";
import { type AnswerShape, startEcho } from "./load/echo.ts";
import { readKnownHashes } from "./load/known_hashes.ts";
import { HEX_LENGTH, WAIT_SECONDS } from "./load/request_bytes.ts";
import { listenerUrl, type ServerProcess } from "./load/server_process.ts";
import { TrialDeployment } from "./load/trial_deployment.ts";
import { runWrk, type WrkRequests } from "./load/wrk.ts";
import { machineLine, thisMachine } from "./machine.ts";
import { markdownTable } from "./markdown_table.ts";

const { values } = parseArgs({
  options: {
    fronts: { type: "string", default: "0,1,2,4,8" },
    connections: { type: "string", default: "512" },
    seconds: { type: "string", default: "3" },
    generators: { type: "string", default: "4" },
    prefill: { type: "string", default: "20000" },
    loads: { type: "string", default: "wait,bulk,status,bundle" },
    pin: { type: "boolean", default: false },
  },
});
const connections = Number(values.connections);
const load = { seconds: Number(values.seconds), threads: Number(values.generators) };
/** Hashes in one bulk request, and clients that send bulk requests. */
const BULK = 1_000;
const BULK_CLIENTS_PER_FRONT = 16;
const CONFIRMED_MS = 60_000;
/** Fields that the runtime adds. */
const OWN_FIELDS = ["content-length", "date", "connection", "vary"];

/** The requests of each load, with the number of hashes in each answer. */
interface Load {
  readonly name: string;
  readonly requests: WrkRequests;
  readonly hashes: number;
  readonly connections: number;
}

function loadsOf(fronts: number, hashesFile: string): Load[] {
  return [
    { name: "wait", requests: { submit: 1, isWaiting: true }, hashes: 1, connections },
    {
      name: "bulk",
      requests: { submit: BULK, isWaiting: true },
      hashes: BULK,
      connections: BULK_CLIENTS_PER_FRONT * Math.max(1, fronts),
    },
    {
      name: "status",
      requests: { lookUp: "/v1/attestations/", hashesFile },
      hashes: 1,
      connections,
    },
    { name: "bundle", requests: { lookUp: "/v1/bundle/", hashesFile }, hashes: 1, connections },
  ];
}

/** Processor seconds of each thread, by its name. */
async function threadSeconds(metrics: Asker): Promise<Map<string, number>> {
  const text = await metrics.text("/metrics");
  const samples = text.matchAll(/^\w*thread_cpu_seconds_total\{thread="([^"]+)"\} (\S+)$/gm);
  return new Map(Array.from(samples, ([, thread, seconds]) => [thread!, Number(seconds)]));
}

/** The answer to one request of `load`. */
async function shapeOf(url: URL, { requests }: Load, hash: string): Promise<AnswerShape> {
  const headers = { "Content-Type": "application/json", "Prefer": `wait=${WAIT_SECONDS}` };
  const isBulk = "submit" in requests && requests.submit > 1;
  const response = "lookUp" in requests
    ? await fetch(new URL(requests.lookUp + hash, url))
    : await fetch(new URL(isBulk ? "/v1/attestations/batch" : "/v1/attestations", url), {
      method: "POST",
      headers,
      body: JSON.stringify(isBulk ? { hashes: newHashes(BULK) } : { hash: newHashes(1)[0] }),
    });
  const { byteLength: bodyLength } = await response.bytes();
  return {
    bodyLength,
    headers: [...response.headers].filter(([name]) => !OWN_FIELDS.includes(name)),
  };
}

function newHashes(count: number): string[] {
  return randomDigests(count).toHex().match(new RegExp(`.{${HEX_LENGTH}}`, "g"))!;
}

/** Restricts a server to `cores` cores, and this process with its children to the others. */
function pin({ pid }: ServerProcess, cores: number): void {
  const all = navigator.hardwareConcurrency;
  const taskset = (list: string, id: number) => {
    const { success } = new Deno.Command("taskset", { args: ["-a", "-c", "-p", list, String(id)] })
      .outputSync();
    if (!success) throw new Error(`Cannot pin process ${id} to cores ${list}`);
  };
  taskset(`0-${cores - 1}`, pid);
  taskset(`${cores}-${all - 1}`, Deno.pid);
}

const rows: string[][] = [];
const shown = (value: number | undefined) =>
  value === undefined || !Number.isFinite(value)
    ? "-"
    : value >= 100
    ? String(Math.round(value))
    : value.toPrecision(3);

async function measure(fronts: number): Promise<void> {
  const dataFolder = await Deno.makeTempDir({ prefix: "countersign-scale-" });
  const deployment = await TrialDeployment.start({
    dataFolder,
    fronts,
    scheme: "ed25519",
    witnesses: "embedded",
    prefill: Number(values.prefill),
    configuration: { limits: "off", operator: { host: "127.0.0.1", port: 0 } },
  });
  try {
    const { gateway } = deployment;
    const asker = new Asker(gateway.url);
    const metrics = new Asker(listenerUrl(gateway.banner, "operators"));
    const hashesFile = join(dataFolder, "hashes");
    const known = await readKnownHashes(asker, "all");
    const hashes = known.sample(100_000);
    await Deno.writeTextFile(hashesFile, hashes.map((hash) => `${hash}\n`).join(""));
    for (const each of loadsOf(fronts, hashesFile)) {
      if (!values.loads.split(",").includes(each.name)) continue;
      const bare = await bareRate(await shapeOf(gateway.url, each, hashes[0]!), each, fronts);
      if (values.pin) pin(gateway, fronts + 1);
      const options = { ...load, connections: each.connections };
      await runWrk(gateway.url, each.requests, { ...options, seconds: 1 });
      const before = await threadSeconds(metrics);
      const cpuBefore = gateway.cpuMs();
      const result = await runWrk(gateway.url, each.requests, options);
      if (result === undefined) throw new Error("Cannot measure: wrk is not installed");
      await asker.confirmed(CONFIRMED_MS);
      const after = await threadSeconds(metrics);
      const count = result.accepted * each.hashes;
      const microseconds = (seconds: number) => seconds * 1e6 / count;
      const used = [...after].map(([thread, seconds]): [string, number] => [
        thread,
        microseconds(seconds - (before.get(thread) ?? 0)),
      ]);
      const ofFronts = used.filter(([thread]) => thread.startsWith("front")).map(([, us]) => us);
      const rate = result.rate * each.hashes;
      // Processor time of all fronts, divided by all hashes.
      const front = ofFronts.reduce((sum, us) => sum + us, 0);
      const busiest = Math.max(...used.map(([, us]) => us)) * rate / 1e6;
      const process = ((gateway.cpuMs() ?? NaN) - (cpuBefore ?? NaN)) / 1e3;
      rows.push([
        each.name,
        String(fronts),
        String(each.connections),
        shown(rate),
        shown(bare),
        shown(rate / bare),
        shown(result.p50Ms),
        shown(result.p99Ms),
        String(result.errors),
        shown(fronts === 0 ? undefined : front),
        shown(used.find(([thread]) => !thread.startsWith("front"))?.[1]),
        shown(busiest),
        shown(microseconds(process)),
      ]);
      systemIo.err(rows.at(-1)!.join(" "));
    }
  } finally {
    await deployment.stop();
    await Deno.remove(dataFolder, { recursive: true });
  }
}

/** Hashes per second of a bare server with a thread for each front. */
async function bareRate(shape: AnswerShape, each: Load, fronts: number): Promise<number> {
  await using echo = await startEcho(shape, Math.max(1, fronts));
  if (values.pin) pin(echo, Math.max(1, fronts));
  const options = { ...load, connections: each.connections, seconds: 1 };
  await runWrk(echo.url, each.requests, options);
  const result = await runWrk(echo.url, each.requests, options);
  return (result?.rate ?? NaN) * each.hashes;
}

for (const fronts of values.fronts.split(",").map(Number)) await measure(fronts);
rows.sort(([a], [b]) => a! < b! ? -1 : a! > b! ? 1 : 0);
systemIo.out(`${machineLine(thisMachine())}; wrk with ${values.generators} threads\n`);
systemIo.out(markdownTable(
  [
    "load",
    "fronts",
    "clients",
    "hashes/s",
    "bare/s",
    "of bare",
    "p50 ms",
    "p99 ms",
    "errors",
    "front us",
    "sequencer us",
    "busiest thread",
    "process us",
  ],
  rows,
));
