/**
 * Requests that wait until jobs are confirmed (`Prefer: wait`). One coarse timer serves all of them.
 *
 * @module
 */

import { type Clock, SLEEP_OVER } from "../../base/clock.ts";

interface Waiter {
  readonly sequences: readonly number[];
  /** Index in `sequences` of the one that the waiter is registered under. Earlier ones are confirmed. */
  next: number;
  deadlineMs: number;
  /** The longest time to wait. */
  readonly ms: number;
  readonly resolve: () => void;
}

/** Beyond this many, requests do not wait. */
const MAX_WAITERS = 65_536;
const TICK_MS = 100;

/**
 * Waiters by sequence. A waiter is registered under one sequence at a time, its first that is not
 * confirmed. So it costs at most one check for each of its sequences, however many others wait for them.
 */
export class Waiters {
  readonly #clock: Clock;
  readonly #isConfirmed: (sequence: number) => boolean;
  /** A set only if several waiters are registered under the sequence. */
  readonly #bySequence = new Map<number, Waiter | Set<Waiter>>();
  readonly #all = new Set<Waiter>();
  /**
   * Aborts the timer. It may run for one tick without waiters: starting one costs more than a tick, and
   * under load all waiters end many times a second.
   */
  #timer: AbortController | undefined;

  /** `isConfirmed` is true of a sequence before {@linkcode Waiters.notify} is called for it. */
  constructor(clock: Clock, isConfirmed: (sequence: number) => boolean) {
    this.#clock = clock;
    this.#isConfirmed = isConfirmed;
  }

  /**
   * Resolves when all of `sequences` are confirmed, or `seconds` have passed; with false if it did not
   * wait.
   */
  wait(sequences: readonly number[], seconds: number): Promise<boolean> {
    const next = this.#firstUnconfirmed(sequences, 0);
    if (next === sequences.length || seconds <= 0 || this.#all.size >= MAX_WAITERS) {
      return Promise.resolve(false);
    }
    return new Promise((resolved) => {
      const resolve = () => resolved(true);
      const ms = seconds * 1000;
      const deadlineMs = this.#clock.nowMs() + ms;
      const waiter: Waiter = { sequences, next, deadlineMs, ms, resolve };
      this.#all.add(waiter);
      this.#register(waiter);
      if (this.#timer === undefined) void this.#runTimer();
    });
  }

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
      if (waiting instanceof Set) { for (const waiter of waiting) this.#advance(waiter); }
      else this.#advance(waiting);
    }
  }

  /** Any sequences may have been confirmed. */
  review(): void {
    for (const sequence of [...this.#bySequence.keys()]) {
      if (this.#isConfirmed(sequence)) this.notify(sequence, 1);
    }
  }

  /** Ends all waits. */
  release(): void {
    for (const waiter of [...this.#all]) this.#end(waiter);
    this.#timer?.abort(SLEEP_OVER);
    this.#timer = undefined;
  }

  /** Registers a waiter under its next unconfirmed sequence, or ends it. */
  #advance(waiter: Waiter): void {
    waiter.next = this.#firstUnconfirmed(waiter.sequences, waiter.next);
    if (waiter.next < waiter.sequences.length) this.#register(waiter);
    else this.#finish(waiter);
  }

  #firstUnconfirmed(sequences: readonly number[], from: number): number {
    let next = from;
    while (next < sequences.length && this.#isConfirmed(sequences[next]!)) next++;
    return next;
  }

  #register(waiter: Waiter): void {
    const sequence = waiter.sequences[waiter.next]!;
    const waiting = this.#bySequence.get(sequence);
    if (waiting === undefined) this.#bySequence.set(sequence, waiter);
    else if (waiting instanceof Set) waiting.add(waiter);
    else this.#bySequence.set(sequence, new Set([waiting, waiter]));
  }

  /** Ends a waiter that is registered. */
  #end(waiter: Waiter): void {
    const sequence = waiter.sequences[waiter.next]!;
    const waiting = this.#bySequence.get(sequence);
    if (waiting instanceof Set) waiting.delete(waiter);
    if (waiting === waiter || (waiting instanceof Set && waiting.size === 0)) {
      this.#bySequence.delete(sequence);
    }
    this.#finish(waiter);
  }

  #finish(waiter: Waiter): void {
    this.#all.delete(waiter);
    waiter.resolve();
  }

  async #runTimer(): Promise<void> {
    const timer = this.#timer = new AbortController();
    while (this.#all.size > 0) {
      await this.#clock.sleep(TICK_MS, timer.signal);
      if (timer.signal.aborted) return;
      this.#expire();
    }
    this.#timer = undefined;
  }

  #expire(): void {
    const nowMs = this.#clock.nowMs();
    for (const waiter of [...this.#all]) {
      // If the clock is set back, the wait must not become longer than `ms` again.
      waiter.deadlineMs = Math.min(waiter.deadlineMs, nowMs + waiter.ms);
      if (waiter.deadlineMs <= nowMs) this.#end(waiter);
    }
  }
}
