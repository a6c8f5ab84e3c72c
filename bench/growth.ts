/**
 * Fills a log with real signed rounds, and measures it at several sizes. What is asked of it is that
 * memory and the time of every operation stay as they are while it grows.
 *
 *     deno task bench:growth [--sizes 10000,100000,1000000] [--save]
 *
 * The log is on disk in a temporary folder: TMPDIR chooses the disk. At each size a fresh process
 * measures (`growth_probe.ts`), so that the memory is that of a gateway that has just started.
 *
 * @module
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemIo } from "../src/cli/io.ts";
import { systemClock } from "../src/clock.ts";
import { numberedDigests } from "./digests.ts";
import type { ProbeReport } from "./growth_probe.ts";
import { markdownTable, threeDigits } from "./markdown_table.ts";
import { createTrial, startTrial } from "./trial_gateway.ts";

const CHUNK = 4_096;
/** Chunks on their way at once: the committer and the signer are both kept busy. */
const CHUNKS_IN_FLIGHT = 4;
/** Small beside what a gateway takes, so that there are many heads. */
const FILL_POLICY = { maxAgeMs: 100, maxLeaves: 2_048 };
const WAIT_SECONDS = 30;
const PROJECT = new URL("../", import.meta.url);
const RESULTS = new URL("results/", import.meta.url);

/** What was found at one size. */
interface Stage {
  readonly probe: ProbeReport;
  /** Confirmed attestations in a second while the log was filled up to here; 0 for none. */
  readonly fillRate: number;
  /** Of the process that filled it, at the end. */
  readonly fillResidentBytes: number;
  readonly diskBytes: number;
}

/** Adds digests until the log has `size` leaves, all of them under a published head. */
async function fill(folder: string, size: number): Promise<{ rate: number; rss: number }> {
  const trial = await startTrial(folder, FILL_POLICY);
  const { gateway } = trial;
  let next = (await gateway.latestSth())?.tree_head.tree_size ?? 0;
  const added = size - next;
  const start = performance.now();
  const lane = async () => {
    while (next < size) {
      const first = next;
      next = Math.min(size, first + CHUNK);
      const sequences = await gateway.submit(numberedDigests(first, next));
      await gateway.settled(sequences, WAIT_SECONDS);
    }
  };
  await Promise.all(Array.from({ length: CHUNKS_IN_FLIGHT }, lane));
  const rate = added * 1000 / (performance.now() - start);
  while (await gateway.sthAt(size) === undefined) await systemClock.sleep(1);
  const { rss } = Deno.memoryUsage();
  await trial.stop();
  return { rate, rss };
}

async function probe(folder: string): Promise<ProbeReport> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--config=bench/deno.json", "-A", "bench/growth_probe.ts", folder],
    cwd: PROJECT,
    stdout: "piped",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("Cannot measure: a probe that ends well required");
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isFile } of Deno.readDir(folder)) {
    bytes += isFile
      ? (await Deno.stat(join(folder, name))).size
      : await bytesIn(join(folder, name));
  }
  return bytes;
}

async function measure(folder: string, size: number): Promise<Stage> {
  const filled = size === 0 ? { rate: 0, rss: 0 } : await fill(folder, size);
  const diskBytes = await bytesIn(folder);
  return {
    probe: await probe(folder),
    fillRate: filled.rate,
    fillResidentBytes: filled.rss,
    diskBytes,
  };
}

/** A row per quantity, a column per size. */
function tableOf(stages: readonly Stage[]): string {
  const mebibytes = (bytes: number) => bytes === 0 ? "-" : threeDigits(bytes / 2 ** 20);
  const row = (name: string, cell: (stage: Stage) => string) => [name, ...stages.map(cell)];
  const operations = Object.keys(stages.at(-1)!.probe.operations);
  return markdownTable(
    ["leaves", ...stages.map(({ probe }) => probe.size.toLocaleString("en"))],
    [
      row("filled, leaves/s", ({ fillRate }) => fillRate === 0 ? "-" : threeDigits(fillRate)),
      row("resident while filling, MiB", (stage) => mebibytes(stage.fillResidentBytes)),
      row("on disk, MiB", ({ diskBytes }) => mebibytes(diskBytes)),
      row("on disk, B/leaf", ({ diskBytes, probe }) => threeDigits(diskBytes / probe.size)),
      row("start, ms", ({ probe }) => threeDigits(probe.startMs)),
      row("resident after start, MiB", ({ probe }) => mebibytes(probe.startedBytes)),
      row("resident at the end, MiB", ({ probe }) => mebibytes(probe.residentBytes)),
      ...operations.map((name) =>
        row(`${name}, ms p50 / p99`, ({ probe }) => {
          const times = probe.operations[name];
          return times === undefined
            ? "-"
            : `${threeDigits(times.p50)} / ${threeDigits(times.p99)}`;
        })
      ),
    ],
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sizes: { type: "string", default: "10000,100000,1000000" },
      save: { type: "boolean", default: false },
    },
  });
  const root = await Deno.makeTempDir({ prefix: "countersign-growth-" });
  const folder = join(root, "data");
  const stages: Stage[] = [];
  try {
    await createTrial(folder);
    for (const size of values.sizes.split(",").map(Number)) {
      systemIo.err(`Filling to ${size}`);
      stages.push(await measure(folder, size));
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
  const table = tableOf(stages);
  systemIo.out(table);
  if (!values.save) return;
  await Deno.mkdir(RESULTS, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const machine = `Deno ${Deno.version.deno}, ${navigator.hardwareConcurrency} cores`;
  const text = `# Growth, ${date}\n\n${machine}.\n\n${table}\n`;
  await Deno.writeTextFile(new URL(`${date}-growth.md`, RESULTS), text);
}

await main();
