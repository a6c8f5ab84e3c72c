/**
 * A {@linkcode Clock} that a test moves. A sleeper wakes when time passes its end.
 *
 * @module
 */

import { setImmediate } from "node:timers/promises";
import type { Clock } from "../src/base/clock.ts";

interface Sleeper {
  /** In elapsed time: like a timer, a sleep ignores steps of the clock. */
  readonly endMs: number;
  readonly wake: () => void;
}

/** Time stops until {@linkcode FakeClock.advance} or {@linkcode FakeClock.jump}. */
export class FakeClock implements Clock {
  #nowMs: number;
  #elapsedMs = 0;
  readonly #sleepers = new Set<Sleeper>();

  /** @param seconds Unix time at the start */
  constructor(seconds = 1_800_000_000) {
    this.#nowMs = seconds * 1000;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Number of sleepers. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener("abort", finish);
        resolve();
      };
      const sleeper = { endMs: this.#elapsedMs + ms, wake: finish };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", finish, { once: true });
    });
  }

  /** Advances time by `ms`. Sleepers wake in the order of their ends, and each acts before the next. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#elapsedMs + ms;
    while (true) {
      await setImmediate();
      const next = [...this.#sleepers].sort((a, b) => a.endMs - b.endMs)[0];
      if (next === undefined || next.endMs > endMs) break;
      this.#pass(next.endMs);
      next.wake();
    }
    this.#pass(endMs);
    await setImmediate();
  }

  /** Advances time in steps until `condition` holds; rejects after `ms`. */
  async until(condition: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
    const step = Math.min(10, ms);
    for (let passed = 0; passed <= ms; passed += step) {
      if (await condition()) return;
      await this.advance(step);
    }
    throw new Error(`the condition did not hold within ${ms} ms`);
  }

  /** Steps the time of day by `ms`, which may be negative. No time elapses. */
  jump(ms: number): void {
    this.#nowMs += ms;
  }

  /** Time passes and no sleeper wakes, as in a process that is stopped. */
  stopFor(ms: number): void {
    this.#pass(this.#elapsedMs + ms);
  }

  #pass(elapsedMs: number): void {
    this.#nowMs += elapsedMs - this.#elapsedMs;
    this.#elapsedMs = elapsedMs;
  }
}
