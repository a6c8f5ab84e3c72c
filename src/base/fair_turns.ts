/**
 * Divides one thread between long computations and other work.
 *
 * Long computations run one at a time, in slices of about a millisecond. After each slice the thread
 * is free for other work for a multiple of the slice's length, and the next slice goes to another
 * owner, if one is waiting. An owner waits for at most one slice of each other owner.
 *
 * @module
 */

import type { Clock } from "./clock.ts";

/** A running computation. */
export interface Turn {
  /**
   * Call every few hundred microseconds. Returns `undefined` while the slice lasts, otherwise a
   * promise of the next slice.
   */
  pause(): Promise<void> | undefined;
}

export interface FairTurnsOptions {
  /** Milliseconds after which {@linkcode Turn.pause} ends a slice. */
  readonly sliceMs?: number;
  /** Maximum share of the thread's time, above 0 and at most 1. */
  readonly share?: number;
}

/** Bounds a pause if the clock jumps. */
const MAX_PAUSE_MS = 100;

/** Schedules long computations. Owners are map keys: use primitives. */
export class FairTurns<Owner = string> {
  readonly #clock: Clock;
  readonly #sliceMs: number;
  readonly #pausePerMs: number;
  /** Waiting computations by owner; owners in the order of their next turns. */
  readonly #waiting = new Map<Owner, (() => void)[]>();
  /** A slice is running, or a computation waits for the end of the pause after one. */
  #isTaken = false;
  /** End of the pause after the last slice. No timer runs while no computation waits. */
  #pauseEndMs = 0;

  constructor(clock: Clock, { sliceMs = 1, share = 0.25 }: FairTurnsOptions = {}) {
    this.#clock = clock;
    this.#sliceMs = sliceMs;
    this.#pausePerMs = 1 / share - 1;
  }

  /** Runs `compute` when it is the turn of `owner`. */
  async run<T>(owner: Owner, compute: (turn: Turn) => T | Promise<T>): Promise<T> {
    await this.#takeSlice(owner);
    let startMs = this.#clock.nowMs();
    const pause = async () => {
      this.#endSlice(startMs);
      await this.#takeSlice(owner);
      startMs = this.#clock.nowMs();
    };
    try {
      return await compute({
        pause: () => this.#clock.nowMs() - startMs < this.#sliceMs ? undefined : pause(),
      });
    } finally {
      this.#endSlice(startMs);
    }
  }

  #takeSlice(owner: Owner): Promise<void> | undefined {
    if (!this.#isTaken) {
      this.#isTaken = true;
      const pauseMs = Math.min(this.#pauseEndMs - this.#clock.nowMs(), MAX_PAUSE_MS);
      if (pauseMs <= 0) return undefined;
      this.#startAfter(pauseMs);
    }
    return new Promise((resolve) => {
      const queue = this.#waiting.get(owner);
      if (queue === undefined) this.#waiting.set(owner, [resolve]);
      else queue.push(resolve);
    });
  }

  #endSlice(startMs: number): void {
    const nowMs = this.#clock.nowMs();
    const pauseMs = Math.min(Math.max(nowMs - startMs, 0) * this.#pausePerMs, MAX_PAUSE_MS);
    this.#pauseEndMs = nowMs + pauseMs;
    if (pauseMs === 0 || this.#waiting.size === 0) this.#startNext();
    else this.#startAfter(pauseMs);
  }

  #startAfter(ms: number): void {
    this.#clock.sleep(ms).then(() => this.#startNext());
  }

  #startNext(): void {
    for (const [owner, queue] of this.#waiting) {
      const start = queue.shift()!;
      // Move the owner behind the others.
      this.#waiting.delete(owner);
      if (queue.length > 0) this.#waiting.set(owner, queue);
      return start();
    }
    this.#isTaken = false;
  }
}
