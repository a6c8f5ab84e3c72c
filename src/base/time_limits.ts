/**
 * One time limit for many operations, with one timer: a timer that is set and cleared for each of them would
 * cost more than most of them.
 *
 * @module
 */

import { type Clock, SLEEP_OVER } from "./clock.ts";

/** The limit of one operation. */
export interface TimeLimit {
  readonly endMs: number;
  readonly expired: () => void;
}

/** Limits of one duration. */
export class TimeLimits {
  readonly #clock: Clock;
  readonly #ms: number;
  /** In the order of their ends. */
  readonly #open = new Set<TimeLimit>();
  #isRunning = false;
  /** Ends the sleep of the timer, which outlasts the operations. */
  #sleep = new AbortController();

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** Calls `expired`, which must not throw, when the time has passed, unless the limit was ended before. */
  start(expired: () => void): TimeLimit {
    const limit = { endMs: this.#clock.elapsedMs() + this.#ms, expired };
    this.#open.add(limit);
    if (!this.#isRunning) void this.#run();
    return limit;
  }

  end(limit: TimeLimit): void {
    this.#open.delete(limit);
  }

  /** Ends the timer, unless a limit is open. */
  rest(): void {
    if (this.#open.size === 0) this.#sleep.abort(SLEEP_OVER);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (const limit of this.#open) {
      while (this.#open.has(limit)) {
        const leftMs = limit.endMs - this.#clock.elapsedMs();
        if (leftMs <= 0) {
          this.#open.delete(limit);
          limit.expired();
          break;
        }
        if (this.#sleep.signal.aborted) this.#sleep = new AbortController();
        await this.#clock.sleep(leftMs, this.#sleep.signal);
      }
    }
    this.#isRunning = false;
  }
}
