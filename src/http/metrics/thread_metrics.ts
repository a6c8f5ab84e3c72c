/**
 * Metrics of a thread: event loop, processor and heap.
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
