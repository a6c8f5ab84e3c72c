/**
 * The event loop of a load run: calls actions when they are due.
 *
 * @module
 */

import { setImmediate } from "node:timers";
import { systemClock } from "../../src/base/clock.ts";

/** Milliseconds after which {@linkcode Turns.run} checks again whether the run is over. */
const CHECK_MS = 20;

interface Due {
  readonly atMs: number;
  act(): void;
}

/** All times are those of `performance.now()`. */
export class Turns {
  /** Ascending by time. */
  readonly #due: Due[] = [];

  /** Calls `act` at `atMs` or soon after. */
  at(atMs: number, act: () => void): void {
    let index = this.#due.length;
    // New actions are usually the last.
    while (index > 0 && this.#due[index - 1]!.atMs > atMs) index--;
    this.#due.splice(index, 0, { atMs, act });
  }

  /** Runs until `isDone`, and then drops the actions that were not due yet. */
  async run(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const nowMs = this.#actOnDue();
      await pause(Math.min(CHECK_MS, (this.#due[0]?.atMs ?? Infinity) - nowMs));
    }
    this.#due.length = 0;
  }

  #actOnDue(): number {
    let nowMs = performance.now();
    while (this.#due[0] !== undefined && this.#due[0].atMs <= nowMs) {
      this.#due.shift()!.act();
      nowMs = performance.now();
    }
    return nowMs;
  }
}

/** Timers have whole milliseconds: a shorter pause is one turn of the event loop. */
function pause(ms: number): Promise<void> {
  return ms < 1
    ? new Promise((resolve) => setImmediate(resolve))
    : systemClock.sleep(Math.floor(ms));
}
