/**
 * Trials as benches of `deno bench`.
 *
 * @module
 */

import type { Trial } from "./interleaved.ts";

/** Registers a group whose first trial is the baseline. */
export function benchTrials(group: string, trials: readonly Trial[]): void {
  for (const [index, { name, run }] of trials.entries()) {
    Deno.bench(name, { group, baseline: index === 0 }, run);
  }
}
