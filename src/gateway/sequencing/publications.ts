/**
 * Listeners for changes of the log. An error of a listener is reported and does not affect the pipeline.
 *
 * @module
 */

import type { Report } from "../../report.ts";

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
    // The same function may be registered twice.
    const own = () => listener();
    this.#listeners.add(own);
    signal.addEventListener("abort", () => this.#listeners.delete(own), { once: true });
  }

  /** Calls all listeners; the change is durable. */
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
