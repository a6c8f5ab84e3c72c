/**
 * Locks in shared memory, for fronts that change a table together. A lock is held for less than a
 * microsecond and never across an `await`.
 *
 * A word is 0, or its owner's number plus 1, so that the lock of an owner that ended can be released.
 *
 * @module
 */

const OWNER_BITS = 0xffff;
/** Set while a thread may be waiting: only then does a release call `Atomics.notify`. */
const WAITING = 0x1_0000;
/** Attempts before a thread sleeps. The owner usually releases the lock earlier. */
const SPINS = 100;

/** Locks in shared memory, as one owner takes them. */
export class SharedLocks {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #owner: number;

  /** The locks `words`, taken by `front`, which is at most 65,534. */
  constructor(words: Int32Array<SharedArrayBuffer>, front: number) {
    this.#words = words;
    this.#owner = front + 1;
  }

  /** Blocks until this front has lock `index`. It must not have it already. */
  acquire(index: number): void {
    if (Atomics.compareExchange(this.#words, index, 0, this.#owner) !== 0) this.#wait(index);
  }

  release(index: number): void {
    const owner = this.#owner;
    const word = Atomics.compareExchange(this.#words, index, owner, 0);
    if (word !== (owner | WAITING)) return;
    Atomics.store(this.#words, index, 0);
    Atomics.notify(this.#words, index, 1);
  }

  #wait(index: number): void {
    const words = this.#words;
    for (let spins = 0; spins < SPINS; spins++) {
      if (Atomics.compareExchange(words, index, 0, this.#owner) === 0) return;
    }
    for (;;) {
      // Others may still be waiting, so this owner notifies too.
      const word = Atomics.compareExchange(words, index, 0, this.#owner | WAITING);
      if (word === 0) return;
      const waited = word | WAITING;
      if (word !== waited && Atomics.compareExchange(words, index, word, waited) !== word) continue;
      Atomics.wait(words, index, waited);
    }
  }
}

/** Releases the locks of `front`, whose thread has ended. */
export function releaseLocksOf(words: Int32Array<SharedArrayBuffer>, front: number): void {
  for (let index = 0; index < words.length; index++) {
    if ((Atomics.load(words, index) & OWNER_BITS) === front + 1) Atomics.store(words, index, 0);
    // Always: the front may have ended after it was woken and before it took the lock.
    Atomics.notify(words, index);
  }
}
