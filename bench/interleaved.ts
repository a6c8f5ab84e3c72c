/**
 * Times alternatives in turns, so that other load affects all equally. Measures processor time of
 * all threads: the time on a machine with one core, without other programs.
 *
 * @module
 */

import { cpuUsage } from "node:process";
import { quantile } from "./quantiles.ts";

/** A function to time. `deno bench` requires asynchronous trials to be `async` functions. */
export interface Trial {
  readonly name: string;
  readonly run: () => void | Promise<void>;
}

/** Milliseconds of processor time of one run, for each round. */
export interface Timing {
  readonly least: number;
  readonly median: number;
}

/** Long enough for all compiler tiers of the engine. */
const WARM_UP_MS = 300;
/** Time of one trial in one round, or of a single run if that takes longer. */
const SLICE_MS = 30;

async function timeOf(trial: Trial, runs: number): Promise<number> {
  const start = cpuUsage();
  for (let i = 0; i < runs; i++) {
    const answer = trial.run();
    if (answer instanceof Promise) await answer;
  }
  const { user, system } = cpuUsage(start);
  return (user + system) / 1_000 / runs;
}

/** Number of runs of a warm trial in a slice. */
async function runsOf(trial: Trial): Promise<number> {
  const end = performance.now() + WARM_UP_MS;
  let least = Infinity;
  while (performance.now() < end) {
    const start = performance.now();
    await timeOf(trial, 1);
    least = Math.min(least, performance.now() - start);
  }
  return Math.max(1, Math.floor(SLICE_MS / least));
}

/** The times of all `trials` by name; each of `rounds` runs every trial once. */
export async function interleaved(
  trials: readonly Trial[],
  rounds: number,
): Promise<Map<string, Timing>> {
  const turns: { readonly trial: Trial; readonly runs: number; readonly times: number[] }[] = [];
  for (const trial of trials) turns.push({ trial, runs: await runsOf(trial), times: [] });
  for (let round = 0; round < rounds; round++) {
    for (const { trial, runs, times } of turns) times.push(await timeOf(trial, runs));
  }
  return new Map(turns.map(({ trial, times }) => [
    trial.name,
    { least: Math.min(...times), median: quantile(times, 0.5) },
  ]));
}
