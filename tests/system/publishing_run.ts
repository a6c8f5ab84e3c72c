/**
 * Kills a publisher again and again while its log grows, and checks the copy. Then measures how long a cosigned
 * head takes to be in the copy, for `publish`, which asks 5 times a second, and for a gateway that publishes:
 *
 *     deno task publishing [--kills 50] [--heads 50] [--seed N]
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { tableLines } from "../../src/cli/output.ts";
import { seededRandom } from "../scenarios/crash_plan.ts";
import { killPublishers, publishingDelays } from "./publishing_drill.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    heads: { type: "string", default: "50" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
  },
});

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function rowOf(publisher: string, delays: readonly number[]): string[] {
  const sorted = delays.toSorted((a, b) => a - b);
  const [median, worst] = [sorted[sorted.length >> 1]!, sorted.at(-1)!];
  return [publisher, String(delays.length), median.toFixed(0), worst.toFixed(0)];
}

tell(`seed ${values.seed}`);
const { violations, size } = await killPublishers(
  Number(values.kills),
  seededRandom(Number(values.seed)),
);
for (const violation of violations) tell(`  ${violation}`);
tell(`${values.kills} kills, ${size} entries, ${violations.length} violations`);
const rows = [];
for (const publisher of ["publish", "gateway"] as const) {
  rows.push(rowOf(publisher, await publishingDelays(publisher, Number(values.heads))));
}
for (const line of tableLines(["publisher", "heads", "median, ms", "worst, ms"], rows)) tell(line);
Deno.exitCode = violations.length > 0 ? 1 : 0;
