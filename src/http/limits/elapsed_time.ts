/**
 * The time of rate budgets: elapsed milliseconds, monotonic even if the clock is set back, and the
 * same for all fronts of a process.
 *
 * @module
 */

import type { Clock } from "../../base/clock.ts";
import { releaseLocksOf, SharedLocks } from "./shared_locks.ts";

/** The parts of the state: the time at which the clock was read last, and what had elapsed then. */
const LAST = 0;
const ELAPSED = 1;
const STATE_BYTES = 16;
const LOCK_BYTES = 4;

/** The memory of a time for several fronts. */
export function sharedTimeMemory(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(STATE_BYTES + LOCK_BYTES);
  initialize(stateIn(memory));
  return memory;
}

/** Releases the lock of `front`, whose thread has ended. */
export function releaseTimeOf(memory: SharedArrayBuffer, front: number): void {
  releaseLocksOf(lockIn(memory), front);
}

/** No time has elapsed until the clock is read for the first time. */
function initialize(state: Float64Array): Float64Array {
  state[LAST] = Infinity;
  return state;
}

function stateIn(memory: SharedArrayBuffer): Float64Array {
  return new Float64Array(memory, 0, 2);
}

function lockIn(memory: SharedArrayBuffer): Int32Array<SharedArrayBuffer> {
  return new Int32Array(memory, STATE_BYTES, 1);
}

/** Elapsed milliseconds, as one front reads them. */
export class ElapsedTime {
  readonly #clock: Clock;
  readonly #state: Float64Array;
  /** Absent if one thread has the time. */
  readonly #locks: SharedLocks | undefined;
  /** The last reading of this front's clock, and the time that had elapsed then. */
  #readMs = NaN;
  #elapsedMs = 0;

  /** With `shared`, `front` is the number of this thread's front. */
  constructor(clock: Clock, shared?: SharedArrayBuffer, front = 0) {
    this.#clock = clock;
    this.#state = shared === undefined ? initialize(new Float64Array(2)) : stateIn(shared);
    this.#locks = shared && new SharedLocks(lockIn(shared), front);
  }

  /** Milliseconds since the first call of any front. */
  nowMs(): number {
    // A front takes the lock once a millisecond at most.
    if (this.#clock.nowMs() !== this.#readMs) this.#update();
    return this.#elapsedMs;
  }

  #update(): void {
    const state = this.#state;
    this.#locks?.acquire(0);
    // Reads the clock with the lock: an older reading of another front is no step of the clock.
    const ms = this.#clock.nowMs();
    const passedMs = Math.max(ms - state[LAST]!, 0);
    // First: if a front ends in between, time is lost and no budget gains.
    state[LAST] = ms;
    state[ELAPSED]! += passedMs;
    this.#elapsedMs = state[ELAPSED]!;
    this.#locks?.release(0);
    this.#readMs = ms;
  }
}
