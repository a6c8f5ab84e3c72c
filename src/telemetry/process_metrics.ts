/**
 * What the process takes of its machine, and how late its one thread is.
 *
 * @module
 */

import process from "node:process";
import { Histogram, SECONDS } from "./histogram.ts";
import type { MetricsPage } from "./metrics_page.ts";

/** Milliseconds between two looks at the event loop. */
const LOOK_MS = 100;

/** Watches the process from its making until it is stopped. */
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
    this.#expectedMs = performance.now() + LOOK_MS;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    // It keeps no process alive.
    Deno.unrefTimer(this.#timer);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Writes all of it to `page`. */
  addTo(page: MetricsPage): void {
    const { rss, heapTotal, heapUsed, external } = Deno.memoryUsage();
    const { user, system } = process.cpuUsage();
    page.histogram(
      "event_loop_lag_seconds",
      `How late the thread came to a timer that is due every ${LOOK_MS} ms`,
      [[this.#lag]],
    );
    page.gauge("resident_memory_bytes", "Memory of the process", [[rss]]);
    page.gauge("heap_bytes", "The heap of JavaScript: what it takes, and what of that is in use", [
      [heapTotal, { part: "total" }],
      [heapUsed, { part: "used" }],
    ]);
    page.gauge("external_memory_bytes", "Buffers outside of the heap", [[external]]);
    page.counter("cpu_seconds_total", "Processor time of the process", [
      [user / 1e6, { mode: "user" }],
      [system / 1e6, { mode: "system" }],
    ]);
    page.gauge("start_time_seconds", "Unix time at which the gateway started", [[
      this.#startSeconds,
    ]]);
    page.gauge("build_info", "1, with the versions of the program and its runtime", [
      [1, { version: this.#version, runtime: `deno ${Deno.version.deno}` }],
    ]);
  }

  #look(): void {
    const nowMs = performance.now();
    this.#lag.observe(Math.max(0, nowMs - this.#expectedMs) / 1000);
    this.#expectedMs = nowMs + LOOK_MS;
  }
}
