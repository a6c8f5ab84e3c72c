/**
 * Wakes a thread that waits for memory to change. Ringing costs one atomic load if no thread sleeps.
 *
 * @module
 */

const WORD = { rings: 0, sleeping: 1 } as const;

export function newBellMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Object.keys(WORD).length * Int32Array.BYTES_PER_ELEMENT);
}

/**
 * Any number of threads ring and sleep. No ring is lost: a sleeper loads the count of rings, then sets the
 * flag, then looks for work; a ringer makes work visible, then loads the flag, and raises the count after it
 * has cleared the flag. So the ringer sees the flag or the sleeper sees the work, and a sleeper whose flag was
 * cleared sees another count.
 */
export class Bell {
  readonly #words: Int32Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** Wakes all sleepers, if there are any. Call it after an atomic store that their `hasWork` loads. */
  ring(): void {
    if (Atomics.load(this.#words, WORD.sleeping) !== 0) this.wake();
  }

  /** Wakes all sleepers, also if what they look for is not in shared memory. */
  wake(): void {
    Atomics.store(this.#words, WORD.sleeping, 0);
    Atomics.add(this.#words, WORD.rings, 1);
    Atomics.notify(this.#words, WORD.rings);
  }

  /**
   * Resolves at the next ring, perhaps earlier, and at once if `hasWork`. False if the thread had no time for
   * other work meanwhile.
   */
  async sleep(hasWork: () => boolean): Promise<boolean> {
    const rings = this.#prepare();
    if (hasWork()) return false;
    const { async, value } = Atomics.waitAsync(this.#words, WORD.rings, rings);
    if (async) await value;
    return async;
  }

  /** Like {@linkcode sleep}, but blocks the thread. */
  block(hasWork: () => boolean): void {
    const rings = this.#prepare();
    if (!hasWork()) Atomics.wait(this.#words, WORD.rings, rings);
  }

  #prepare(): number {
    const rings = Atomics.load(this.#words, WORD.rings);
    Atomics.store(this.#words, WORD.sleeping, 1);
    return rings;
  }
}
