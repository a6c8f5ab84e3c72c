/**
 * Attacks a gateway as one client does, and measures what that does to an honest one and to the
 * process; see `abuse_options.ts` for its options.
 *
 *     deno task abuse [--only 1,5] [--seconds 5] [--fronts 2] [--no-limits] [--json] [--save]
 *
 * Each attack gets a new gateway. The honest client uses a separate loopback address. The attacker
 * runs at the lowest priority, because an attacker on another machine could not take processor time
 * from the gateway.
 *
 * @module
 */

import { systemIo } from "../../src/server/io.ts";
import { thisMachine } from "../machine.ts";
import { type AbuseOptions, parseAbuseOptions, USAGE } from "./abuse_options.ts";
import {
  abuseLine,
  type AbuseReport,
  abuseText,
  resourceFaults,
  timeFaults,
} from "./abuse_report.ts";
import { type AbuseResult, runAbuse } from "./abuse_run.ts";

const RESULTS = new URL("../results/", import.meta.url);
/** Seconds of the other parts of each row. */
const TIMES = { warmUp: 1.5, quiet: 3, settle: 3, settleMost: 10 };

async function run({ rows, seconds, json, save, ...gateway }: AbuseOptions): Promise<number> {
  const results: AbuseResult[] = [];
  for (const row of rows) {
    const result = await runAbuse(row, { ...TIMES, attack: seconds }, gateway);
    systemIo.err(abuseLine(result));
    results.push(result);
  }
  const report: AbuseReport = { machine: thisMachine(), ...gateway, results };
  const text = abuseText(report);
  systemIo.out(json ? JSON.stringify(report, undefined, 2) : text);
  if (save) await Deno.writeTextFile(new URL(`abuse-${report.machine.date}.md`, RESULTS), text);
  const isBroken = results.some((result) =>
    timeFaults(result).length + resourceFaults(result).length > 0
  );
  return isBroken ? 1 : 0;
}

/** Returns the exit code: 0, 1 when a bound was exceeded, 2 for a wrong command line. */
async function main(): Promise<number> {
  let options: AbuseOptions;
  try {
    options = parseAbuseOptions(Deno.args);
  } catch (error) {
    systemIo.err(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return 2;
  }
  return await run(options);
}

Deno.exit(await main());
