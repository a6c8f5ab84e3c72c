/**
 * Callers that hold an answer until jobs are confirmed (`Prefer: wait`). One coarse timer serves
 * all of them.
 *
 * @module
 */

import type { Clock } from "../clock.ts";

/** One caller. */
interface Waiter {
  remaining: number;
  deadlineMs: number;
  /** How long it waits in all. */
  readonly ms: number;
  readonly sequences: readonly number[];
  readonly resolve: () => void;
}

/** Beyond this many, an answer is not held. */
const MAX_WAITERS = 65_536;
const TICK_MS = 100;

/** Waiters by sequence. */
export class Waiters {
  readonly #clock: Clock;
  /** A list only where several wait for one sequence, which is rare. */
  readonly #bySequence = new Map<number, Waiter | Waiter[]>();
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
      const ms = seconds * 1000;
      const waiter: Waiter = {
        remaining: sequences.length,
        deadlineMs: this.#clock.nowMs() + ms,
        ms,
        sequences,
        resolve,
      };
      this.#all.add(waiter);
      for (const sequence of sequences) this.#append(sequence, waiter);
      this.#timer ??= setInterval(() => this.#expire(), TICK_MS);
    });
  }

  /** Callers that wait. */
  get count(): number {
    return this.#all.size;
  }

  /** Sequences [first, first + size) are confirmed. */
  notify(first: number, size: number): void {
    if (this.#bySequence.size === 0) return;
    for (let sequence = first; sequence < first + size; sequence++) {
      const waiting = this.#bySequence.get(sequence);
      if (waiting === undefined) continue;
      this.#bySequence.delete(sequence);
      if (Array.isArray(waiting)) { for (const waiter of waiting) this.#notifyOne(waiter); }
      else this.#notifyOne(waiting);
    }
  }

  /** Answers everyone with what there is. */
  release(): void {
    for (const waiter of [...this.#all]) this.#finish(waiter);
  }

  #notifyOne(waiter: Waiter): void {
    if (--waiter.remaining === 0) this.#finish(waiter);
  }

  #finish(waiter: Waiter): void {
    if (!this.#all.delete(waiter)) return;
    if (waiter.remaining > 0) this.#forget(waiter);
    if (this.#all.size === 0) this.#stopTimer();
    waiter.resolve();
  }

  #append(sequence: number, waiter: Waiter): void {
    const waiting = this.#bySequence.get(sequence);
    if (waiting === undefined) this.#bySequence.set(sequence, waiter);
    else if (Array.isArray(waiting)) waiting.push(waiter);
    else this.#bySequence.set(sequence, [waiting, waiter]);
  }

  #forget(waiter: Waiter): void {
    for (const sequence of waiter.sequences) {
      const waiting = this.#bySequence.get(sequence);
      const rest = Array.isArray(waiting) ? waiting.filter((other) => other !== waiter) : [];
      if (rest.length > 0) this.#bySequence.set(sequence, rest);
      else if (Array.isArray(waiting) || waiting === waiter) this.#bySequence.delete(sequence);
    }
  }

  #expire(): void {
    const nowMs = this.#clock.nowMs();
    for (const waiter of [...this.#all]) {
      // A clock that was set back would hold the answer for as long again.
      waiter.deadlineMs = Math.min(waiter.deadlineMs, nowMs + waiter.ms);
      if (waiter.deadlineMs <= nowMs) this.#finish(waiter);
    }
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
