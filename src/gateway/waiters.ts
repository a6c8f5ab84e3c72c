/**
 * Callers that hold an answer until jobs are confirmed (`Prefer: wait`). One coarse timer serves
 * all of them.
 *
 * @module
 */

import type { Clock } from "../clock.ts";

interface Waiter {
  remaining: number;
  deadlineMs: number;
  /** How long it waits in all. */
  readonly ms: number;
  readonly finish: () => void;
}

/** Beyond this many, an answer is not held. */
const MAX_WAITERS = 65_536;
const TICK_MS = 100;

/** Waiters by sequence. */
export class Waiters {
  readonly #clock: Clock;
  readonly #bySequence = new Map<number, Waiter[]>();
  readonly #all = new Set<Waiter>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when all of `sequences` (distinct) were notified, or `seconds` have passed. */
  wait(sequences: readonly number[], seconds: number): Promise<void> {
    if (sequences.length === 0 || seconds <= 0 || this.#all.size >= MAX_WAITERS) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const waiter: Waiter = {
        remaining: sequences.length,
        deadlineMs: this.#clock.nowMs() + seconds * 1000,
        ms: seconds * 1000,
        finish: () => {
          if (!this.#all.delete(waiter)) return;
          if (waiter.remaining > 0) this.#forget(waiter, sequences);
          if (this.#all.size === 0) this.#stopTimer();
          resolve();
        },
      };
      this.#all.add(waiter);
      for (const sequence of sequences) this.#append(sequence, waiter);
      this.#timer ??= setInterval(() => this.#expire(), TICK_MS);
    });
  }

  /** Sequences [first, first + size) are confirmed. */
  notify(first: number, size: number): void {
    if (this.#bySequence.size === 0) return;
    for (let sequence = first; sequence < first + size; sequence++) {
      const waiters = this.#bySequence.get(sequence);
      if (waiters === undefined) continue;
      this.#bySequence.delete(sequence);
      for (const waiter of waiters) if (--waiter.remaining === 0) waiter.finish();
    }
  }

  /** Answers everyone with what there is. */
  release(): void {
    for (const waiter of [...this.#all]) waiter.finish();
  }

  #append(sequence: number, waiter: Waiter): void {
    const waiters = this.#bySequence.get(sequence);
    if (waiters === undefined) this.#bySequence.set(sequence, [waiter]);
    else waiters.push(waiter);
  }

  #forget(waiter: Waiter, sequences: readonly number[]): void {
    for (const sequence of sequences) {
      const rest = this.#bySequence.get(sequence)?.filter((other) => other !== waiter);
      if (rest === undefined || rest.length === 0) this.#bySequence.delete(sequence);
      else this.#bySequence.set(sequence, rest);
    }
  }

  #expire(): void {
    const nowMs = this.#clock.nowMs();
    for (const waiter of [...this.#all]) {
      // A clock that was set back would hold the answer for as long again.
      waiter.deadlineMs = Math.min(waiter.deadlineMs, nowMs + waiter.ms);
      if (waiter.deadlineMs <= nowMs) waiter.finish();
    }
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
