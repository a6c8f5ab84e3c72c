/**
 * Measures everything for which the product has a target, beside the bare server, in one run:
 *
 *     deno run --config bench/deno.json -A bench/targets.ts [--fronts N] [--seconds S] [--prefill N]
 *
 * Each gateway is started by `load/load.ts`. Single submissions are measured with `wrk` where it is installed.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { systemIo } from "../src/server/io.ts";
import type { LoadReport } from "./load/load_report.ts";
import type { Row } from "./load/row.ts";
import { markdownTable } from "./markdown_table.ts";
import { machineLine } from "./machine.ts";

const { values } = parseArgs({
  options: {
    fronts: { type: "string", default: "0" },
    seconds: { type: "string", default: "3" },
    prefill: { type: "string", default: "500000" },
  },
});

/** One target: a rate is at least its goal, a time at most. */
interface Target {
  readonly name: string;
  readonly goal: number;
  readonly isTime?: true;
  readonly of: (row: Row) => number | undefined;
}

/** Rows of one scenario of one gateway. */
interface Measured {
  readonly args: readonly string[];
  /** By the number of connections. */
  readonly targets: Readonly<Record<number, readonly Target[]>>;
}

const wrkRate = ({ wrk, rate }: Row) => wrk?.rate ?? rate;
const p50 = ({ wrk, latencyMs }: Row) => wrk?.p50Ms ?? latencyMs.p50;
const p99 = ({ wrk, latencyMs }: Row) => wrk?.p99Ms ?? latencyMs.p99;
const gatewayUs = ({ cpuMicroseconds }: Row) => cpuMicroseconds.gateway;
const rate = (row: Row) => row.rate;

const MOST_CLIENTS: Target = { name: "512 clients, hashes/s", goal: 30_000, of: wrkRate };

const MEASURED: readonly Measured[] = [
  {
    args: ["--scenarios=wait"],
    targets: {
      512: [
        MOST_CLIENTS,
        { name: "512 clients, p50 ms", goal: 18, isTime: true, of: p50 },
        { name: "512 clients, gateway us a hash", goal: 36, isTime: true, of: gatewayUs },
      ],
      64: [{ name: "64 clients, hashes/s", goal: 24_000, of: wrkRate }],
      16: [{ name: "16 clients, hashes/s", goal: 10_000, of: wrkRate }],
      1: [
        { name: "one client, p50 ms", goal: 0.75, isTime: true, of: p50 },
        { name: "one client, p99 ms", goal: 2, isTime: true, of: p99 },
      ],
    },
  },
  {
    args: ["--scenarios=bulk"],
    targets: {
      16: [
        { name: "bulk, hashes/s", goal: 250_000, of: rate },
        { name: "bulk, gateway us a hash", goal: 3.5, isTime: true, of: gatewayUs },
      ],
    },
  },
  {
    args: ["--scenarios=status", "--prefill=20000"],
    targets: { 64: [{ name: "status, answers/s", goal: 60_000, of: rate }] },
  },
  {
    args: ["--scenarios=bundle", "--prefill=20000"],
    targets: { 64: [{ name: "recent bundles, answers/s", goal: 45_000, of: rate }] },
  },
  {
    args: ["--scenarios=bundle", "--spread=all", `--prefill=${values.prefill}`],
    targets: {
      64: [{ name: `bundles of ${values.prefill} leaves, answers/s`, goal: 10_000, of: rate }],
    },
  },
  {
    args: ["--scenarios=wait", "--scheme=bls"],
    targets: { 512: [{ name: "bls, 512 clients, hashes/s", goal: 20_000, of: wrkRate }] },
  },
  {
    args: ["--scenarios=wait", "--witnesses=remote"],
    targets: { 512: [{ name: "remote witnesses, 512 clients, hashes/s", goal: NaN, of: wrkRate }] },
  },
];

async function load({ args, targets }: Measured): Promise<LoadReport> {
  const connections = Object.keys(targets).join();
  const common = [`--seconds=${values.seconds}`, `--fronts=${values.fronts}`, "--json"];
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--config",
      fileURLToPath(new URL("deno.json", import.meta.url)),
      "-A",
      fileURLToPath(new URL("load/load.ts", import.meta.url)),
      ...args,
      `--connections=${connections}`,
      ...common,
    ],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`Cannot measure ${args.join(" ")}: the load tool failed`);
  return JSON.parse(new TextDecoder().decode(stdout)) as LoadReport;
}

/** Three digits. */
function shown(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "-";
  return value >= 1_000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

const lines: string[][] = [];
/** What 0.8 of remote witnesses is of. */
let embedded = NaN;
let machine = "";
for (const measured of MEASURED) {
  const report = await load(measured);
  machine = machineLine(report.machine);
  for (const row of report.rows) {
    for (const { name, goal: fixed, isTime, of } of measured.targets[row.connections] ?? []) {
      const value = of(row);
      if (fixed === MOST_CLIENTS.goal && of === MOST_CLIENTS.of) embedded = value ?? NaN;
      const goal = Number.isNaN(fixed) ? 0.8 * embedded : fixed;
      const share = value === undefined ? undefined : isTime ? goal / value : value / goal;
      const { echoRate, echoCpuMicroseconds } = row;
      let bare: number | undefined;
      if (of === gatewayUs) bare = echoCpuMicroseconds;
      else if (!isTime) bare = echoRate;
      lines.push([name, shown(goal), shown(value), shown(share), shown(bare)]);
    }
  }
}
systemIo.out(`${machine}; fronts: ${values.fronts}\n`);
systemIo.out(
  markdownTable(["what", "target", "measured", "of the target", "bare server"], lines),
);
