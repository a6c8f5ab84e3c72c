/**
 * `deno task fuzz [--seconds N] [--seed N] [--only NAME]`: feeds damaged inputs to every reader and
 * every route, in rounds with increasing seeds. Prints a table and each fault with its input, and
 * exits with 1 if there is one. `--only` takes part of a target's name.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { type Fault, fuzz, reportOf } from "./engine.ts";
import { openRouteTargets } from "./route_targets.ts";
import { TARGETS } from "./targets.ts";

/** Inputs for a target in one round. */
const ROUND = 500;
/** Maximum number of printed faults of one target; more are likely the same one. */
const PRINTED_FAULTS = 5;

interface Tally {
  tried: number;
  accepted: number;
  refused: number;
  faults: Fault[];
}

const { values } = parseArgs({
  args: Deno.args,
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", default: "" },
  },
});
const seconds = Number(values.seconds);
const firstSeed = Number(values.seed);
if (!(seconds > 0) || !Number.isSafeInteger(firstSeed)) {
  write("Cannot fuzz: --seconds must be above 0 and --seed an integer");
  Deno.exit(2);
}
const routes = await openRouteTargets();
const targets = [...TARGETS, ...routes.targets].filter(({ name }) => name.includes(values.only));
const tallies = new Map<string, Tally>();
const end = performance.now() + seconds * 1000;
let seed = firstSeed;
do {
  for (const target of targets) {
    const { tried, accepted, refused, faults } = await fuzz(target, seed, ROUND);
    const tally = tallies.get(target.name) ?? { tried: 0, accepted: 0, refused: 0, faults: [] };
    tally.tried += tried;
    tally.accepted += accepted;
    tally.refused += refused.values().reduce((sum, count) => sum + count, 0);
    tally.faults.push(...faults);
    tallies.set(target.name, tally);
    if (performance.now() > end) break;
  }
  seed++;
} while (performance.now() < end);
await routes.close();
report();

function report(): void {
  write(`seeds ${firstSeed} to ${seed - 1}\n`);
  write(`${"reader".padEnd(32)}${"inputs".padStart(9)}${"accepted".padStart(9)}   refused  faults`);
  for (const [name, { tried, accepted, refused, faults }] of tallies) {
    const counts = [tried, accepted, refused].map((count) => String(count).padStart(9)).join("");
    write(`${name.padEnd(32)}${counts}${String(faults.length).padStart(8)}`);
  }
  const faults = tallies.values().flatMap((tally) => tally.faults.slice(0, PRINTED_FAULTS))
    .toArray();
  for (const fault of faults) write(`\n${reportOf(fault)}`);
  write(`\n${faults.length === 0 ? "No fault found" : "FAULTS FOUND"}`);
  if (faults.length > 0) Deno.exitCode = 1;
}

function write(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
