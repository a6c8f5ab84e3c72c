/**
 * A count in shared memory that shows other threads that the event loop of one thread turns.
 *
 * @module
 */

import { systemClock } from "../clock.ts";

const BEAT_MS = 500;

/** Memory for one thread. */
export function newHeartbeat(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** Beats until the thread ends, unless the thread is blocked or in a loop. */
export async function beat(memory: SharedArrayBuffer): Promise<never> {
  const count = new Int32Array(memory);
  for (;;) {
    Atomics.add(count, 0, 1);
    await systemClock.sleep(BEAT_MS);
  }
}

/** The heartbeat of another thread. */
export class HeartbeatMonitor {
  readonly #count: Int32Array<SharedArrayBuffer>;
  #last = 0;
  #missed = 0;

  constructor(memory: SharedArrayBuffer) {
    this.#count = new Int32Array(memory);
  }

  /** How many calls in a row have found no beat since the call before; 0 before the first beat. */
  check(): number {
    const count = Atomics.load(this.#count, 0);
    this.#missed = count === this.#last && count !== 0 ? this.#missed + 1 : 0;
    this.#last = count;
    return this.#missed;
  }
}
