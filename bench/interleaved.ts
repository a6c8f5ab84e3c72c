/**
 * Timing alternatives in turns, so that what else the machine does meets all of them alike. What is
 * taken is processor time, of all threads: what a machine of one core would need, also for those that
 * use more, and without the time that other programs ran in.
 *
 * @module
 */

import { cpuUsage } from "node:process";
import { quantile } from "./quantiles.ts";

/** Something to time. What is asynchronous is an `async` function: `deno bench` tells it by that. */
export interface Trial {
  readonly name: string;
  readonly run: () => void | Promise<void>;
}

/** Milliseconds of processor time for one run, by rounds. */
export interface Timing {
  readonly least: number;
  readonly median: number;
}

/** Long enough for an engine to have compiled what runs often by all its tiers. */
const WARM_UP_MS = 300;
/** Of one trial in one round, or a single run where that takes longer. */
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

/** How often a trial fits into a slice, once it runs at its full speed. */
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

/** The times of all `trials` by name, over `rounds` in each of which all have their turn. */
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
