/**
 * Metrics of the process: memory, processor and event loop.
 *
 * @module
 */

import process from "node:process";
import { Histogram, SECONDS } from "./histogram.ts";
import type { MetricsPage } from "./metrics_page.ts";

/** Interval of the timer that measures the event loop. */
const SAMPLE_MS = 100;

/** Measures the process until disposed. */
export class ProcessMetrics implements Disposable {
  readonly #lag = new Histogram(SECONDS);
  readonly #version: string;
  readonly #startSeconds: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #expectedMs: number;

  /** `startSeconds` is Unix time. */
  constructor(version: string, startSeconds: number) {
    this.#version = version;
    this.#startSeconds = startSeconds;
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
    const { rss, heapTotal, heapUsed, external } = Deno.memoryUsage();
    const { user, system } = process.cpuUsage();
    page.histogram(
      "event_loop_lag_seconds",
      `Delay of a timer with an interval of ${SAMPLE_MS} ms`,
      [[this.#lag]],
    );
    page.gauge("resident_memory_bytes", "Resident memory of the process", [[rss]]);
    page.gauge("heap_bytes", "JavaScript heap: total, and used", [
      [heapTotal, { part: "total" }],
      [heapUsed, { part: "used" }],
    ]);
    page.gauge("external_memory_bytes", "Memory of buffers outside the heap", [[external]]);
    page.counter("cpu_seconds_total", "Processor time of the process", [
      [user / 1e6, { mode: "user" }],
      [system / 1e6, { mode: "system" }],
    ]);
    page.gauge("start_time_seconds", "Unix time of the start of the gateway", [[
      this.#startSeconds,
    ]]);
    page.gauge("build_info", "1, with the versions of program and runtime as labels", [
      [1, { version: this.#version, runtime: `deno ${Deno.version.deno}` }],
    ]);
  }

  #sampleLag(): void {
    const nowMs = performance.now();
    this.#lag.observe(Math.max(0, nowMs - this.#expectedMs) / 1000);
    this.#expectedMs = nowMs + SAMPLE_MS;
  }
}
