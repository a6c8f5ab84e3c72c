/**
 * Forks a running network again and again, at random moments, and checks that the copy stops
 * acknowledging, that nothing of the original is lost, and that no sequence is signed twice:
 *
 *     deno task fork [--times 50] [--scheme ed25519|bls] [--seed N] [--fronts 0,1,3] [--no-kills] [--control forget]
 *
 * Every third fork is half signed on both sides, and freed by `countersign witness release`. Every
 * second trial kills witnesses meanwhile, unless `--no-kills` is given. Trials choose the number of fronts
 * from the given ones. `--control forget` makes a
 * witness lose its journal in half-signed forks: a run that does not notice fails.
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { seededRandom } from "./crash_plan.ts";
import { FRONT_COUNTS, frontCountsOf } from "./front_counts.ts";
import { type ForkControl, runHalfSigned } from "./fork_half_signed.ts";
import { type ForkOutcome, type ForkPlan, runFork } from "./fork_trial.ts";

/** Trial number `i` of a run. */
export function forkPlan(
  i: number,
  { seed, scheme, fronts = FRONT_COUNTS, kills }: {
    readonly seed: number;
    readonly scheme: ForkPlan["scheme"];
    /** The number of fronts is one of these. */
    readonly fronts?: readonly number[];
    readonly kills: boolean;
  },
): ForkPlan {
  const random = seededRandom(seed + i);
  const upTo = (ms: number) => Math.floor(random() * ms);
  return {
    seed: `fork ${seed} ${i}`,
    scheme,
    snapshotAfterMs: upTo(2_000),
    isQuiet: random() < 0.5,
    startAfterMs: upTo(1_000),
    kills: kills ? [0, 1].map(() => ({ witness: upTo(3), afterMs: upTo(500) })) : [],
    fronts: fronts[upTo(fronts.length)]!,
  };
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Options {
  readonly times: number;
  readonly scheme: ForkPlan["scheme"];
  readonly seed: number;
  readonly fronts: readonly number[];
  readonly kills: boolean;
  readonly control: ForkControl;
}

function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      times: { type: "string", default: "50" },
      scheme: { type: "string", default: "ed25519" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      fronts: { type: "string", default: FRONT_COUNTS.join() },
      "no-kills": { type: "boolean", default: false },
      control: { type: "string" },
    },
  });
  const { scheme, control, times, seed } = values;
  if (scheme !== "ed25519" && scheme !== "bls") throw new Error(`No scheme: ${scheme}`);
  if (control !== undefined && control !== "forget") throw new Error(`No control: ${control}`);
  const fronts = frontCountsOf(values.fronts);
  const kills = !values["no-kills"];
  return { times: Number(times), seed: Number(seed), fronts, kills, scheme, control };
}

function describe({ violations, noticedMs, releasedMs, ...counts }: ForkOutcome): string {
  const seconds = releasedMs === undefined
    ? ""
    : `, original again ${(releasedMs / 1000).toFixed(1)} s after the release`;
  return `${counts.originalAccepted} accepted, ${counts.copyAccepted} by the copy, ` +
    `which refuses ${noticedMs.toFixed(0)} ms after the witnesses${seconds}: ` +
    `${violations.length} violations`;
}

/** The exit code: 1 for a violation, or for damage that was not noticed. */
async function main({ times, control, ...options }: Options): Promise<number> {
  tell(`seed ${options.seed}`);
  let [run, violated, accepted, byCopy, latestMs, releases] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < times; i++) {
    const isHalfSigned = i % 3 === 2;
    if (control !== undefined && !isHalfSigned) continue;
    const kills = options.kills && i % 2 === 1;
    const plan = forkPlan(i, { ...options, kills });
    const outcome = await (isHalfSigned ? runHalfSigned(plan, control) : runFork(plan));
    run++;
    if (outcome.violations.length > 0) violated++;
    accepted += outcome.originalAccepted;
    byCopy += outcome.copyAccepted;
    latestMs = Math.max(latestMs, outcome.noticedMs);
    if (outcome.releasedMs !== undefined) releases++;
    const what = `${isHalfSigned ? ", half signed" : ""}${kills ? ", witnesses killed" : ""}`;
    tell(`${i + 1}/${times}, ${plan.fronts} fronts${what}: ${describe(outcome)}`);
    for (const violation of outcome.violations.slice(0, 10)) tell(`  ${violation}`);
  }
  tell(
    `${violated} of ${run} trials with violations; ${accepted} hashes accepted, ${byCopy} by copies, ` +
      `which refused ${
        latestMs.toFixed(0)
      } ms after the witnesses at the latest; ${releases} releases`,
  );
  return (control === undefined ? violated > 0 : violated < run) ? 1 : 0;
}

if (import.meta.main) Deno.exitCode = await main(optionsOf(Deno.args));
