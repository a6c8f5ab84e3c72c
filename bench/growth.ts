/**
 * Fills a log with real signed rounds, and measures it at several sizes. The time of every
 * operation must stay constant or grow with the logarithm of the size.
 *
 *     deno task bench:growth [--sizes 1e5,1e6] [--lone] [--data DIR] [--save]
 *
 * With `--lone`, each round has one hash, as in the log of a gateway with few clients.
 *
 * The log is in DIR, which `deno task load --data DIR` can use, or in a temporary folder on the
 * disk of TMPDIR. A new process (`growth_probe.ts`) measures at each size, so that the memory is
 * that of a gateway that has just started.
 *
 * @module
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemIo } from "../src/server/io.ts";
import { fill, leavesIn } from "./fill.ts";
import type { ProbeReport } from "./growth_probe.ts";
import { growthPlots, type GrowthStage, growthTable } from "./growth_report.ts";
import { logPlotSvg } from "./log_plot.ts";
import { machineLine, thisMachine } from "./machine.ts";
import { createTrial } from "./trial_gateway.ts";

/** Leaves between two lines of progress. */
const PROGRESS = 1_000_000;
const PROJECT = new URL("../", import.meta.url);
const RESULTS = new URL("results/", import.meta.url);

async function probe(folder: string): Promise<ProbeReport> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--config=deno.json", "-A", "bench/growth_probe.ts", folder],
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

async function measure(folder: string, size: number, lone: boolean): Promise<GrowthStage> {
  const startMs = performance.now();
  let told = 0;
  const watch = (leaves: number) => {
    if (leaves < told + PROGRESS) return;
    told = leaves;
    systemIo.err(`${leaves} leaves after ${Math.round((performance.now() - startMs) / 1000)} s`);
  };
  const filling = await fill(folder, size, { watch, lone });
  const diskBytes = await bytesIn(folder);
  return { filling, diskBytes, probe: await probe(folder) };
}

async function measureAll(
  folder: string,
  sizes: readonly number[],
  lone: boolean,
): Promise<GrowthStage[]> {
  await createTrial(folder);
  const stages: GrowthStage[] = [];
  const there = await leavesIn(folder);
  for (const size of sizes) {
    // A smaller size can only be measured again in a log of that size.
    if (size < there && size !== sizes.at(-1)) {
      systemIo.err(`Left out ${size}: the log has ${there} leaves already`);
      continue;
    }
    systemIo.err(`Filling to ${size}`);
    stages.push(await measure(folder, size, lone));
  }
  return stages;
}

async function save(stages: readonly GrowthStage[], lone: boolean): Promise<void> {
  await Deno.mkdir(RESULTS, { recursive: true });
  const machine = thisMachine();
  const name = lone ? `growth-lone-${machine.date}` : `growth-${machine.date}`;
  const text = `# Growth, ${machine.date}\n\n${machineLine(machine)}.\n\n` +
    `Ed25519, three embedded witnesses, threshold 2, random digests, by ` +
    `\`deno task bench:growth${lone ? " --lone" : ""}\`.\n\n${
      growthTable(stages)
    }\n\n![Growth](${name}.svg)\n`;
  await Deno.writeTextFile(new URL(`${name}.md`, RESULTS), text);
  const svg = logPlotSvg(machineLine(machine), growthPlots(stages));
  await Deno.writeTextFile(new URL(`${name}.svg`, RESULTS), svg);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sizes: { type: "string", default: "1e4,1e5,1e6" },
      lone: { type: "boolean", default: false },
      data: { type: "string" },
      save: { type: "boolean", default: false },
    },
  });
  const sizes = values.sizes.split(",").map(Number).toSorted((a, b) => a - b);
  if (!sizes.every((size) => Number.isSafeInteger(size) && size > 0)) {
    throw new Error(`Cannot measure: sizes such as 1e5,1e6 required, found ${values.sizes}`);
  }
  const temporary = values.data === undefined
    ? await Deno.makeTempDir({ prefix: "countersign-growth-" })
    : undefined;
  try {
    const folder = temporary ?? systemIo.resolvePath(values.data!);
    const stages = await measureAll(folder, sizes, values.lone);
    systemIo.out(growthTable(stages));
    if (values.save) await save(stages, values.lone);
  } finally {
    if (temporary !== undefined) await Deno.remove(temporary, { recursive: true });
  }
}

await main();
