/**
 * Forks a running network again and again, at random moments, and checks that the copy stops
 * acknowledging, that nothing of the original is lost, and that no sequence is signed twice:
 *
 *     deno task fork [--times 50] [--scheme ed25519|bls] [--seed N] [--no-kills]
 *
 * Every second trial kills witnesses meanwhile, unless `--no-kills` is given.
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { seededRandom } from "./crash_plan.ts";
import { type ForkPlan, runFork } from "./fork_trial.ts";

/** Trial number `i` of a run. */
export function forkPlan(
  i: number,
  { seed, scheme, kills }: {
    readonly seed: number;
    readonly scheme: ForkPlan["scheme"];
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
  };
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      times: { type: "string", default: "50" },
      scheme: { type: "string", default: "ed25519" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
      "no-kills": { type: "boolean", default: false },
    },
  });
  const { scheme } = values;
  if (scheme !== "ed25519" && scheme !== "bls") throw new Error(`No scheme: ${scheme}`);
  const [times, seed] = [Number(values.times), Number(values.seed)];
  tell(`seed ${seed}`);
  let violated = 0;
  for (let i = 0; i < times; i++) {
    const kills = !values["no-kills"] && i % 2 === 1;
    const { violations, ...counts } = await runFork(forkPlan(i, { seed, scheme, kills }));
    if (violations.length > 0) violated++;
    tell(
      `${i + 1}/${times}${
        kills ? ", witnesses killed" : ""
      }: ${counts.originalAccepted} accepted, ` +
        `${counts.copyAccepted} by the copy, which refuses ` +
        `${counts.noticedMs?.toFixed(0) ?? "?"} ms after the witnesses`,
    );
    for (const violation of violations.slice(0, 10)) tell(`  ${violation}`);
  }
  tell(`${violated} of ${times} trials with violations`);
  return violated > 0 ? 1 : 0;
}

if (import.meta.main) Deno.exitCode = await main(Deno.args);
