/**
 * Kills a network's processes with kill -9 under load, hundreds of times, and checks that nothing
 * accepted is lost and nothing signed is contradicted:
 *
 *     deno task crash [--iterations 200] [--accepted 1000] [--scheme ed25519|bls] [--seed N] [--fronts 0,1,3] [--keep]
 *       [--store postgres]
 *
 * With `--store postgres` the log is in a PostgreSQL server, which is killed too.
 * The seed fixes who is killed when; how far the others have come by then is left to the machine, so
 * that a replay makes the same choices and no identical run. The gateway has the numbers of fronts in turn,
 * another at each start. `--control lose` and `--control restore`
 * damage the network on purpose: a run that does not notice fails. The folder of a network that failed
 * is kept.
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { tableLines } from "../../src/cli/output.ts";
import { copyNetwork, restoreNetwork } from "./crash_control.ts";
import { CrashLoop } from "./crash_loop.ts";
import { FRONT_COUNTS, frontCountsOf } from "./front_counts.ts";
import { PostgresServer } from "../system/postgres_server.ts";
import { type Crash, nextCrash, seededRandom, wordsOf } from "./crash_plan.ts";

/** Keeps the load at some thousand hashes a second, so that the last check takes a minute or two. */
const THINK_MS = 8;
/** Violations of one check that are told. */
const MAX_TOLD = 10;
const COPY = "copy-of-net";

type Control = "lose" | "restore" | undefined;

interface Options {
  readonly iterations: number;
  /** The fewest hashes that are accepted between two crashes. */
  readonly accepted: number;
  readonly scheme: "ed25519" | "bls";
  readonly seed: number;
  /** How many fronts the gateway has, in turn at each start. */
  readonly fronts: readonly number[];
  readonly keep: boolean;
  readonly control: Control;
  /** Where the log is, if not in the data folder. */
  readonly store: "postgres" | undefined;
}

function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      iterations: { type: "string", default: "200" },
      accepted: { type: "string", default: "1000" },
      scheme: { type: "string", default: "ed25519" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      fronts: { type: "string", default: FRONT_COUNTS.join() },
      keep: { type: "boolean", default: false },
      control: { type: "string" },
      store: { type: "string" },
    },
  });
  const { scheme, control, store } = values;
  if (store !== undefined && store !== "postgres") throw new Error(`No store: ${store}`);
  if (store !== undefined && control === "restore") {
    throw new Error("--control restore needs a folder");
  }
  if (scheme !== "ed25519" && scheme !== "bls") throw new Error(`No scheme: ${scheme}`);
  if (control !== undefined && control !== "lose" && control !== "restore") {
    throw new Error(`No control: ${control}`);
  }
  const [iterations, accepted, seed] = [values.iterations, values.accepted, values.seed].map(
    (text) => {
      if (/^[0-9]+$/.test(text)) return Number(text);
      throw new Error(`No count: ${text}`);
    },
  ) as [number, number, number];
  return {
    iterations,
    accepted,
    scheme,
    seed,
    fronts: frontCountsOf(values.fronts),
    keep: values.keep,
    control,
    store,
  };
}

/** Damages the network in a crash of all of it, in the middle of the run; words, when it does. */
class Saboteur {
  readonly #control: Control;
  readonly #at: number;

  constructor(control: Control, iterations: number) {
    this.#control = control;
    this.#at = Math.floor(iterations / 2);
  }

  /** The crash of iteration `i` as it has to be: a copy is one of everything that is dead. */
  crash(i: number, crash: Crash): Crash {
    if (this.#stepOf(i) === undefined) return crash;
    return { ...crash, gateway: true, witnesses: [0, 1, 2], againAfterMs: undefined };
  }

  async act(i: number, loop: CrashLoop): Promise<void> {
    const { deployment } = loop;
    const step = this.#stepOf(i);
    if (step === "lose") await loop.loseOne();
    if (step === "copy") await copyNetwork(deployment, COPY);
    if (step !== "restore") return;
    await restoreNetwork(deployment, COPY);
    loop.isMoved = true;
  }

  #stepOf(i: number): "lose" | "copy" | "restore" | undefined {
    if (this.#control === "lose") return i === this.#at ? "lose" : undefined;
    if (this.#control === undefined) return undefined;
    return i === this.#at - 1 ? "copy" : i === this.#at ? "restore" : undefined;
  }
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function crashes(loop: CrashLoop, options: Options): Promise<void> {
  const random = seededRandom(options.seed);
  const saboteur = new Saboteur(options.control, options.iterations);
  for (let i = 0; i < options.iterations; i++) {
    const startMs = performance.now();
    const crash = saboteur.crash(i, nextCrash(random, options.store === "postgres"));
    await loop.crash(crash, options.accepted, () => saboteur.act(i, loop));
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    tell(
      `${i + 1}/${options.iterations}  ${wordsOf(crash)}: ` +
        `${loop.accepted.size} accepted, ${loop.headsSeen} heads seen, ${seconds} s`,
    );
  }
}

function report(loop: CrashLoop, options: Options, seconds: number): void {
  const { counts, recorder } = loop;
  const remembered = recorder.records.reduce((sum, { remembered }) => sum + remembered.size, 0);
  const cosigned = recorder.records.reduce((sum, record) => sum + record.cosigned.size, 0);
  const rows = {
    "scheme": options.scheme,
    "seed": options.seed,
    "fronts, in turn": options.fronts.join(),
    "iterations": options.iterations,
    "kills of the gateway": counts.gatewayKills,
    "kills of witnesses": counts.witnessKills,
    "kills of the database": counts.databaseKills,
    "of all kills, before the process was ready": counts.startKills,
    "of witnesses' kills, while asked to cosign": counts.cosigningKills,
    "heads remembered by a witness that never answered": remembered,
    "hashes accepted": loop.accepted.size,
    "fewest accepted between two crashes": counts.leastAccepted,
    "requests in flight at a crash, on average": Math.round(counts.inFlight / options.iterations),
    "tree heads seen by the client": loop.headsSeen,
    "cosignatures that left a witness, by size": cosigned,
    "seconds": Math.round(seconds),
  };
  const lines = tableLines(
    ["what", "value"],
    Object.entries(rows).map(([what, value]) => [what, String(value)]),
  );
  for (const line of lines) tell(line);
}

/** Runs every check, and tells what it finds; the number of violations. */
async function checks(loop: CrashLoop): Promise<number> {
  let count = 0;
  let startMs = performance.now();
  for await (const { what, violations } of loop.check()) {
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    tell(`checked ${what}: ${violations.length} violations, ${seconds} s`);
    for (const violation of violations.slice(0, MAX_TOLD)) tell(`  ${violation}`);
    count += violations.length;
    startMs = performance.now();
  }
  return count;
}

/** The exit code: 1 for a violation, or for damage that was not noticed. */
async function main(options: Options): Promise<number> {
  tell(`seed ${options.seed}`);
  const startMs = performance.now();
  await using postgres = options.store === "postgres" ? await PostgresServer.start() : undefined;
  await using loop = await CrashLoop.start(options.scheme, {
    ...(postgres && { postgres }),
    seed: `crash ${options.seed}`,
    thinkMs: THINK_MS,
    fronts: options.fronts,
  });
  let violations = 0;
  try {
    await crashes(loop, options);
    violations = await checks(loop);
  } catch (error) {
    tell(`the run ended early: ${error instanceof Error ? error.message : error}`);
    violations++;
  }
  report(loop, options, (performance.now() - startMs) / 1000);
  tell(`${violations} violations`);
  const failed = (violations > 0) === (options.control === undefined);
  if (options.keep || failed) {
    loop.deployment.keep();
    tell(`kept ${loop.deployment.folder}`);
  }
  return failed ? 1 : 0;
}

if (import.meta.main) Deno.exitCode = await main(optionsOf(Deno.args));
