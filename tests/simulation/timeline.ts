/**
 * Simulated time: a queue of events in order of time, in random order at the same time. All
 * immediate consequences of an event happen before the next event.
 *
 * @module
 */

import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../src/base/clock.ts";
import type { Random } from "../random.ts";
import type { Trace } from "./trace.ts";

/** A scheduled event, which can be cancelled. */
export interface Happening {
  cancel(): void;
}

interface Entry {
  readonly atMs: number;
  /** Random order among events of the same time. */
  readonly rank: number;
  readonly what: string;
  readonly run: () => void;
  isCancelled: boolean;
}

/** Unix milliseconds at which every simulation begins. */
const BEGINNING_MS = 1_800_000_000_000;

export class Timeline {
  readonly #random: Random;
  readonly #trace: Trace;
  /** A binary heap, the next event first. */
  readonly #entries: Entry[] = [];
  #elapsedMs = 0;
  #steps = 0;

  constructor(random: Random, trace: Trace) {
    this.#random = random;
    this.#trace = trace;
  }

  /** Milliseconds since the beginning. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Number of past events. */
  get steps(): number {
    return this.#steps;
  }

  /** Schedules `run` in `ms` milliseconds. `what` names it in the trace. */
  in(ms: number, what: string, run: () => void): Happening {
    const entry: Entry = {
      atMs: this.#elapsedMs + Math.max(0, ms),
      rank: this.#random.word(),
      what,
      run,
      isCancelled: false,
    };
    this.#push(entry);
    return { cancel: () => entry.isCancelled = true };
  }

  /** Resolves in `ms` milliseconds. */
  after(ms: number, what: string): Promise<void> {
    return new Promise((resolve) => this.in(ms, what, resolve));
  }

  /** Runs the next event and its immediate consequences; false if no event is scheduled. */
  async step(): Promise<boolean> {
    const next = this.#pop();
    if (next === undefined) return false;
    this.#elapsedMs = next.atMs;
    this.#steps++;
    this.#trace.note(`${next.atMs} ${next.what}`);
    next.run();
    await setImmediate();
    return true;
  }

  #push(entry: Entry): void {
    const heap = this.#entries;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at]!, heap[parent]!)) return;
      swap(heap, at, parent);
      at = parent;
    }
  }

  /** The next event that was not cancelled. */
  #pop(): Entry | undefined {
    const heap = this.#entries;
    while (heap.length > 0) {
      const first = heap[0]!;
      const last = heap.pop()!;
      if (heap.length > 0) {
        heap[0] = last;
        this.#sink();
      }
      if (!first.isCancelled) return first;
    }
    return undefined;
  }

  #sink(): void {
    const heap = this.#entries;
    for (let at = 0;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      let least = at;
      if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left;
      if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right;
      if (least === at) return;
      swap(heap, at, least);
      at = least;
    }
  }
}

/** The clock of one machine: its time of day may be wrong, but its timers are right. */
export class MachineClock implements Clock {
  readonly #timeline: Timeline;
  readonly #name: string;
  /** Error of its time of day, in milliseconds. */
  offsetMs = 0;

  constructor(timeline: Timeline, name: string) {
    this.#timeline = timeline;
    this.#name = name;
  }

  nowMs(): number {
    return BEGINNING_MS + this.#timeline.elapsedMs + this.offsetMs;
  }

  elapsedMs(): number {
    return this.#timeline.elapsedMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        happening.cancel();
        signal?.removeEventListener("abort", finish);
        resolve();
      };
      const happening = this.#timeline.in(ms, `${this.#name} wakes`, finish);
      signal?.addEventListener("abort", finish, { once: true });
    });
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.rank < b.rank);
}

function swap(heap: Entry[], a: number, b: number): void {
  const entry = heap[a]!;
  heap[a] = heap[b]!;
  heap[b] = entry;
}
