/**
 * The event loop of a load run: sockets, and actions that are due at a time.
 *
 * @module
 */

import { setImmediate } from "node:timers";
import type { Sockets } from "./sockets.ts";

/** Milliseconds after which the runtime gets a turn, for signals and promises. */
const YIELD_MS = 20;

interface Due {
  readonly atMs: number;
  act(): void;
}

/** See the module. All times are those of `performance.now()`. */
export class Turns {
  readonly #sockets: Sockets;
  /** Ascending by time. */
  readonly #due: Due[] = [];

  constructor(sockets: Sockets) {
    this.#sockets = sockets;
  }

  /** Has `act` called at `atMs` or soon after it. */
  at(atMs: number, act: () => void): void {
    let place = this.#due.length;
    // Most are due after all others.
    while (place > 0 && this.#due[place - 1]!.atMs > atMs) place--;
    this.#due.splice(place, 0, { atMs, act });
  }

  /**
   * Runs until `isDone`; `isBusy` is as in {@linkcode Sockets.turn}. Nothing that was due and was not
   * called is kept.
   */
  async run(isDone: () => boolean, isBusy: () => boolean): Promise<void> {
    let yieldedMs = performance.now();
    while (!isDone()) {
      const nowMs = this.#actOnDue();
      const untilMs = Math.min(nowMs + YIELD_MS, this.#due[0]?.atMs ?? Infinity);
      const turned = this.#sockets.turn(untilMs, isBusy());
      if (turned !== undefined) await turned;
      else if (nowMs - yieldedMs > YIELD_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        yieldedMs = nowMs;
      }
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
