/**
 * The command line of `deno task abuse`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import type { AbusedGateway } from "./abuse_run.ts";
import { ABUSE_ROWS, type AbuseRow } from "./abuse_rows.ts";

export const USAGE = `Attacks a gateway as one client, beside an honest one, and says what that did.

  deno task abuse [options]

  --only A,B,...        attacks by number (1, 2, 3, 4, 5, 6, 7, 10; 0 is none) or by a word of
                        their names
  --seconds S           of each attack, default 5
  --fronts N            of the gateway, default 0
  --no-limits           without limits of clients
  --json                JSON on standard output; progress is on standard error
  --save                writes the table to bench/results/ as well

The attacks:
${ABUSE_ROWS.map(({ name }) => `  ${name}`).join("\n")}`;

/** The options of the command line. */
export interface AbuseOptions extends AbusedGateway {
  readonly rows: readonly AbuseRow[];
  readonly seconds: number;
  readonly json: boolean;
  readonly save: boolean;
}

/** The options of `args`; throws where they are wrong. */
export function parseAbuseOptions(args: readonly string[]): AbuseOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string" },
      seconds: { type: "string", default: "5" },
      fronts: { type: "string", default: "0" },
      "no-limits": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      save: { type: "boolean", default: false },
    },
  });
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error("Cannot read --seconds: not a number above 0");
  const fronts = Number(values.fronts);
  if (!Number.isInteger(fronts) || fronts < 0) {
    throw new Error("Cannot read --fronts: not a whole number from 0 on");
  }
  const chosen = values.only?.split(",");
  const rows = ABUSE_ROWS.filter(({ name }) =>
    chosen?.some((part) => isNamed(name, part.trim())) ?? true
  );
  if (rows.length === 0) throw new Error(`Cannot read --only: no attack is named ${values.only}`);
  const limits = !values["no-limits"];
  return { rows, seconds, fronts, limits, json: values.json, save: values.save };
}

function isNamed(name: string, part: string): boolean {
  return /^[0-9]+$/.test(part) ? name.startsWith(`${part} `) : name.includes(part);
}
