/**
 * Runs many seeds of the simulation, or one with its trace: `deno task simulate --help`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { SCHEMES } from "../schemes.ts";
import { simulate, type SimulationOptions, type SimulationResult } from "./simulation.ts";
import { ENGINES } from "./world.ts";

/** What is simulated. */
type Kind = Required<Pick<SimulationOptions, "scheme" | "engine">>;

const USAGE = `Simulates gateways, witnesses and clients, with everything that can befall them.

  --seeds N    how many seeds are run (1000)
  --from N     the first of them (1)
  --seed N     runs this one alone, and prints its trace
  --scheme S   ed25519 (default) or bls
  --engine E   kv (default), or postgres: standbys, the lease and commits of PostgreSQL

Ends with 1 when a seed ends in a fault; the same seed gives the same trace each time.`;

const encoder = new TextEncoder();

function print(line: string): void {
  Deno.stdout.writeSync(encoder.encode(`${line}\n`));
}

function integerOf(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? otherwise);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  print(`Cannot simulate: an integer required, found "${text}"`);
  Deno.exit(2);
}

function oneOf<T extends string>(names: readonly T[], text: string): T {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  print(`Cannot simulate: one of ${names.join(", ")} required, found "${text}"`);
  Deno.exit(2);
}

/** The fault of a seed, with its stack and the command that reproduces it. */
function describe(seed: number, kind: Kind, { fault, digest }: SimulationResult) {
  const cause = fault?.cause;
  const stack = cause instanceof Error ? `\n${cause.stack}` : "";
  return `seed ${seed}: ${fault?.message}${stack}\n  trace ${digest}; again: ` +
    `deno task simulate --scheme ${kind.scheme} --engine ${kind.engine} --seed ${seed}`;
}

async function runOne(seed: number, kind: Kind): Promise<boolean> {
  const result = await simulate({ seed, ...kind, print });
  print(result.fault === undefined ? `seed ${seed}: sound` : describe(seed, kind, result));
  print(`trace ${result.digest}`);
  return result.fault === undefined;
}

async function runMany(from: number, count: number, kind: Kind): Promise<boolean> {
  let failed = 0;
  const sums = {
    steps: 0,
    simulatedMs: 0,
    accepted: 0,
    spent: 0,
    processes: 0,
    frontsEnded: 0,
    laps: 0,
    rollbacks: 0,
    forks: 0,
    lostRounds: 0,
  };
  for (let seed = from; seed < from + count; seed++) {
    const result = await simulate({ seed, ...kind });
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += result[name];
    if (result.fault !== undefined) {
      failed++;
      print(describe(seed, kind, result));
    }
    const done = seed - from + 1;
    if (done % 100 === 0 || done === count) {
      print(`${done} of ${count} seeds, ${failed} with a fault`);
    }
  }
  const hours = (sums.simulatedMs / 3_600_000).toFixed(1);
  print(
    `${sums.steps} events in ${hours} simulated hours, ${sums.accepted} digests accepted, ` +
      `${sums.spent} of them with tokens, by ${sums.processes} processes, ${sums.frontsEnded} fronts ended and ${sums.laps} lapped, ` +
      `${sums.rollbacks} old copies found, ` +
      `${sums.forks} stores forked, ${sums.lostRounds} signed rounds lost`,
  );
  return failed === 0;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string" },
      from: { type: "string" },
      seed: { type: "string" },
      scheme: { type: "string", default: "ed25519" },
      engine: { type: "string", default: "kv" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    print(USAGE);
    Deno.exit(0);
  }
  const kind = { scheme: oneOf(SCHEMES, values.scheme), engine: oneOf(ENGINES, values.engine) };
  const isSound = values.seed === undefined
    ? await runMany(integerOf(values.from, 1), integerOf(values.seeds, 1_000), kind)
    : await runOne(integerOf(values.seed, 0), kind);
  Deno.exit(isSound ? 0 : 1);
}
