/**
 * Metrics of the process and of its threads: memory, processor and event loop.
 *
 * @module
 */

import process from "node:process";
import { Histogram, SECONDS } from "./histogram.ts";
import type { MetricsPage } from "./metrics_page.ts";

/** Interval of the timer that measures the event loop. */
const SAMPLE_MS = 100;

/** Measures one thread until disposed. */
export class ThreadMetrics implements Disposable {
  readonly #lag = new Histogram(SECONDS);
  readonly #thread: string;
  readonly #timer: ReturnType<typeof setInterval>;
  #expectedMs: number;

  /** Create it in the thread named `thread`. */
  constructor(thread: string) {
    this.#thread = thread;
    this.#expectedMs = performance.now() + SAMPLE_MS;
    this.#timer = setInterval(() => this.#sampleLag(), SAMPLE_MS);
    // The timer must not keep the process alive.
    Deno.unrefTimer(this.#timer);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Writes all metrics to `page`. */
  addTo(page: MetricsPage): void {
    const thread = this.#thread;
    const { heapTotal, heapUsed, external } = Deno.memoryUsage();
    const { user, system } = process.threadCpuUsage();
    page.histogram(
      "event_loop_lag_seconds",
      `Delay of a timer with an interval of ${SAMPLE_MS} ms`,
      [[this.#lag, { thread }]],
    );
    page.counter("thread_cpu_seconds_total", "Processor time of a thread: its load", [
      [(user + system) / 1e6, { thread }],
    ]);
    page.gauge("heap_bytes", "JavaScript heap of all threads: total, and used", [
      [heapTotal, { part: "total" }],
      [heapUsed, { part: "used" }],
    ]);
    page.gauge("external_memory_bytes", "Memory of buffers outside the heap", [[external]]);
  }

  #sampleLag(): void {
    const nowMs = performance.now();
    this.#lag.observe(Math.max(0, nowMs - this.#expectedMs) / 1000);
    this.#expectedMs = nowMs + SAMPLE_MS;
  }
}

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
