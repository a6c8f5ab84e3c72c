/**
 * The measurements of a growing log, as a table and as plots.
 *
 * @module
 */

import { RunFilter } from "../src/gateway/index/index_run.ts";
import { RUN_LEAVES } from "../src/gateway/index/recent_digests.ts";
import type { Filling } from "./fill.ts";
import type { ProbeReport } from "./growth_probe.ts";
import type { LogPlot, Series } from "./log_plot.ts";
import { markdownTable, threeDigits } from "./markdown_table.ts";

/** The measurements at one size. */
export interface GrowthStage {
  /** From the previous size to this one. */
  readonly filling: Filling;
  /** Bytes of all files of the gateway and its witnesses. */
  readonly diskBytes: number;
  readonly probe: ProbeReport;
}

/** A row per quantity, a column per size. */
export function growthTable(stages: readonly GrowthStage[]): string {
  const mebibytes = (bytes: number) => threeDigits(bytes / 2 ** 20);
  const row = (name: string, cell: (stage: GrowthStage) => string) => [name, ...stages.map(cell)];
  return markdownTable(
    ["leaves", ...stages.map(({ probe }) => probe.size.toLocaleString("en"))],
    [
      row(
        "filled, leaves/s",
        ({ filling }) => filling.added === 0 ? "-" : threeDigits(filling.rate),
      ),
      row(
        "filled, us of all threads a leaf",
        ({ filling }) => filling.added === 0 ? "-" : threeDigits(filling.cpuUs),
      ),
      row("resident while filling, MiB", ({ filling }) => mebibytes(filling.residentBytes)),
      row("on disk, MiB", ({ diskBytes }) => mebibytes(diskBytes)),
      row("on disk, B/leaf", ({ diskBytes, probe }) => threeDigits(diskBytes / probe.size)),
      row("start, ms", ({ probe }) => threeDigits(probe.startMs)),
      row("start, ms of all threads", ({ probe }) => threeDigits(probe.startCpuMs)),
      row("resident after start, MiB", ({ probe }) => mebibytes(probe.startedBytes)),
      row("filter, of that, MiB", ({ probe }) => mebibytes(filterBytes(probe.size))),
      row("resident at the end, MiB", ({ probe }) => mebibytes(probe.residentBytes)),
      ...operationsOf(stages).map((name) =>
        row(`${name}, us (ms p50 / p99)`, ({ probe }) => {
          const { threadUs, p50, p99 } = probe.operations[name]!;
          return `${threeDigits(threadUs)} (${threeDigits(p50)} / ${threeDigits(p99)})`;
        })
      ),
    ],
  );
}

/** Times above, bytes below. */
export function growthPlots(stages: readonly GrowthStage[]): LogPlot[] {
  const series = (name: string, value: (stage: GrowthStage) => number): Series => ({
    name,
    points: stages.map((stage) => [stage.probe.size, value(stage)]),
  });
  const mebibytes = (name: string, bytes: (stage: GrowthStage) => number) =>
    series(name, (stage) => bytes(stage) / 2 ** 20);
  const operations = operationsOf(stages);
  return [
    {
      title: "Processor time of an operation",
      xLabel: "leaves in the log",
      yLabel: "microseconds of the thread",
      series: operations.map((name) =>
        series(name, ({ probe }) => probe.operations[name]!.threadUs)
      ),
    },
    {
      title: "Memory and disk",
      xLabel: "leaves in the log",
      yLabel: "MiB",
      series: [
        mebibytes("on disk", ({ diskBytes }) => diskBytes),
        mebibytes("filter, of that in memory", ({ probe }) => filterBytes(probe.size)),
        mebibytes("resident while filling", ({ filling }) => filling.residentBytes),
        mebibytes("resident after start", ({ probe }) => probe.startedBytes),
        mebibytes("resident at the end", ({ probe }) => probe.residentBytes),
      ],
    },
  ];
}

/** Memory of the filters of the sealed index runs (ARCHITECTURE.md, Storage). */
function filterBytes(size: number): number {
  return Math.floor(size / RUN_LEAVES) * new RunFilter().memory.byteLength;
}

function operationsOf(stages: readonly GrowthStage[]): string[] {
  return Object.keys(stages.at(-1)?.probe.operations ?? {});
}
