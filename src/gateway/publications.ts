/**
 * Who is told that something happened to the log. Whoever listens does so beside the pipeline: what a
 * listener throws is reported, and changes nothing.
 *
 * @module
 */

import type { Report } from "../report.ts";

/** The listeners of one gateway. */
export class Publications {
  readonly #listeners = new Set<() => void>();
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  /** Calls `listener` each time, until `signal` aborts. */
  listen(listener: () => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    // The same function may listen twice.
    const own = () => listener();
    this.#listeners.add(own);
    signal.addEventListener("abort", () => this.#listeners.delete(own), { once: true });
  }

  /** It happened, and is durable. */
  notify(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.#report(
          `Cannot tell a listener of the log: ${error instanceof Error ? error.message : error}`,
        );
      }
    }
  }
}
