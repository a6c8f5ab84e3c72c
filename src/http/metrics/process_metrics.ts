/**
 * Metrics of the process: memory, processor and versions.
 *
 * @module
 */

import process from "node:process";
import type { MetricsPage } from "./metrics_page.ts";

/** The versions of the program and its start, in Unix seconds. */
export interface ProcessFacts {
  readonly version: string;
  readonly startSeconds: number;
}

/** Writes the metrics of the whole process to `page`; one thread does. */
export function addProcessMetrics(
  page: MetricsPage,
  { version, startSeconds }: ProcessFacts,
): void {
  const { user, system } = process.cpuUsage();
  page.gauge("resident_memory_bytes", "Resident memory of the process", [
    [Deno.memoryUsage().rss],
  ]);
  page.counter("cpu_seconds_total", "Processor time of the process", [
    [user / 1e6, { mode: "user" }],
    [system / 1e6, { mode: "system" }],
  ]);
  page.gauge("start_time_seconds", "Unix time of the start of the gateway", [[startSeconds]]);
  page.gauge("build_info", "1, with the versions of program and runtime as labels", [
    [1, { version, runtime: `deno ${Deno.version.deno}` }],
  ]);
}
