/**
 * Divides one thread between long computations and everything else that it does.
 *
 * Long computations run one at a time, in slices of about a millisecond. After each slice the thread
 * is left to other work for a multiple of the slice's length, and the next slice belongs to another
 * owner, if one is waiting. An owner who starts a thousand computations waits for all of them; another
 * owner waits for at most one slice of each owner.
 *
 * @module
 */

import type { Clock } from "./clock.ts";

/** The right to compute until {@linkcode Turn.pause} takes it away. */
export interface Turn {
  /**
   * Call between two steps of at most a few hundred microseconds. `undefined` while the slice lasts;
   * otherwise a promise of the next slice.
   */
  pause(): Promise<void> | undefined;
}

export interface FairTurnsOptions {
  /** Milliseconds after which {@linkcode Turn.pause} ends a slice. */
  readonly sliceMs?: number;
  /** Share of the thread's time that slices may take, above 0 and at most 1. */
  readonly share?: number;
}

/** A step of the clock must not stop all long computations for as long. */
const MAX_REST_MS = 100;

/** See the module. `Owner` is compared by identity: use a primitive. */
export class FairTurns<Owner = string> {
  readonly #clock: Clock;
  readonly #sliceMs: number;
  readonly #restPerMs: number;
  /** Computations that wait, by owner; the owners in the order of their next turns. */
  readonly #waiting = new Map<Owner, (() => void)[]>();
  /** A slice is running, or a computation waits for the end of the rest after one. */
  #isTaken = false;
  /** End of the rest after the last slice; no timer runs while nothing waits for it. */
  #restEndMs = 0;

  constructor(clock: Clock, { sliceMs = 1, share = 0.25 }: FairTurnsOptions = {}) {
    this.#clock = clock;
    this.#sliceMs = sliceMs;
    this.#restPerMs = 1 / share - 1;
  }

  /** Computations of `owner` that wait for a slice. */
  waitingOf(owner: Owner): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  /** Runs `compute` when it is the turn of `owner`. Answers or throws what `compute` does. */
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
      const restMs = Math.min(this.#restEndMs - this.#clock.nowMs(), MAX_REST_MS);
      if (restMs <= 0) return undefined;
      this.#startAfter(restMs);
    }
    return new Promise((resolve) => {
      const queue = this.#waiting.get(owner);
      if (queue === undefined) this.#waiting.set(owner, [resolve]);
      else queue.push(resolve);
    });
  }

  #endSlice(startMs: number): void {
    const nowMs = this.#clock.nowMs();
    const restMs = Math.min(Math.max(nowMs - startMs, 0) * this.#restPerMs, MAX_REST_MS);
    this.#restEndMs = nowMs + restMs;
    if (restMs === 0 || this.#waiting.size === 0) this.#startNext();
    else this.#startAfter(restMs);
  }

  #startAfter(ms: number): void {
    this.#clock.sleep(ms).then(() => this.#startNext());
  }

  #startNext(): void {
    for (const [owner, queue] of this.#waiting) {
      const start = queue.shift()!;
      // Behind the other owners, or out of the map.
      this.#waiting.delete(owner);
      if (queue.length > 0) this.#waiting.set(owner, queue);
      return start();
    }
    this.#isTaken = false;
  }
}
