/**
 * What clients hold over all fronts of a process, in shared memory of a fixed size.
 *
 * Each entry has a client and, for each front, what the client holds there. So the holdings of a front
 * that ended can be taken away. One lock makes the sums exact. A client's entry is one of the
 * `WINDOW` entries from a random place on, and free for others while it holds nothing. A newcomer that
 * finds no free entry is refused, since its holdings could not be bounded. The bound of requests in
 * flight fills a quarter of the table, and then one newcomer in 10^8 finds none.
 *
 * @module
 */

import { ClientHash, HASH_BYTES, initializeHash } from "./client_hash.ts";
import type { ClientKey } from "./client_key.ts";
import type { ClientHoldings, Excess, Release } from "./holdings.ts";
import { releaseLocksOf, SharedLocks } from "./shared_locks.ts";

/** Entries of a table: four times the requests that a process has in flight. */
export const HOLDING_CLIENTS = 65_536;

/** Entries in which a client's may be. */
const WINDOW = 32;

/** Words of memory after the hash: the lock, the number of fronts, their sums, then the entries. */
const LOCK = 0;
const FRONTS = 1;
const SUMS = 2;
/** Words of an entry: the client, then the amounts of the fronts. */
const HIGH = 0;
const LOW = 1;
const AMOUNTS = 2;

const NONE = -1;

/**
 * The memory of holdings of `fronts` fronts with `clients` entries, a power of two of at least 32; 0
 * if only the total is counted. Amounts are below 2^31.
 */
export function sharedHoldingsMemory(fronts: number, clients = HOLDING_CLIENTS): SharedArrayBuffer {
  const words = SUMS + fronts + clients * (AMOUNTS + fronts);
  const memory = new SharedArrayBuffer(HASH_BYTES + words * Int32Array.BYTES_PER_ELEMENT);
  initializeHash(memory);
  wordsIn(memory)[FRONTS] = fronts;
  return memory;
}

/** Takes away what `front` holds, whose thread has ended, and releases its lock. */
export function releaseHoldingsOf(memory: SharedArrayBuffer, front: number): void {
  const words = wordsIn(memory);
  const fronts = words[FRONTS]!;
  // Without the lock, which the front may have: no other front writes these words.
  const stride = AMOUNTS + fronts;
  for (let word = SUMS + fronts + AMOUNTS + front; word < words.length; word += stride) {
    words[word] = 0;
  }
  words[SUMS + front] = 0;
  releaseLocksOf(words.subarray(LOCK, LOCK + 1), front);
}

function wordsIn(memory: SharedArrayBuffer): Int32Array<SharedArrayBuffer> {
  return new Int32Array(memory, HASH_BYTES);
}

/** The holdings of all clients, as one front reads and changes them. */
export class SharedHoldings implements ClientHoldings {
  readonly #front: number;
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #hash: ClientHash;
  readonly #lock: SharedLocks;
  readonly #fronts: number;
  /** The first entry, the words of each, and their number. */
  readonly #entries: number;
  readonly #stride: number;
  readonly #clients: number;
  readonly #window: number;

  /** `front` is the number of this thread's front. */
  constructor(memory: SharedArrayBuffer, front: number) {
    const words = wordsIn(memory);
    this.#front = front;
    this.#words = words;
    this.#hash = new ClientHash(memory);
    this.#lock = new SharedLocks(words.subarray(LOCK, LOCK + 1), front);
    this.#fronts = words[FRONTS]!;
    this.#entries = SUMS + this.#fronts;
    this.#stride = AMOUNTS + this.#fronts;
    this.#clients = (words.length - this.#entries) / this.#stride;
    this.#window = Math.min(WINDOW, this.#clients);
  }

  get total(): number {
    this.#lock.acquire(LOCK);
    const total = this.#sum(SUMS);
    this.#lock.release(LOCK);
    return total;
  }

  get clients(): number {
    let count = 0;
    this.#lock.acquire(LOCK);
    for (let entry = this.#entries; entry < this.#words.length; entry += this.#stride) {
      if (this.#sum(entry + AMOUNTS) > 0) count++;
    }
    this.#lock.release(LOCK);
    return count;
  }

  of(client: ClientKey): number {
    this.#lock.acquire(LOCK);
    const entry = this.#find(client);
    const held = entry === NONE ? 0 : this.#sum(entry + AMOUNTS);
    this.#lock.release(LOCK);
    return held;
  }

  hold(
    client: ClientKey | undefined,
    amount: number,
    perClient: number,
    total: number,
  ): Release | Excess {
    this.#lock.acquire(LOCK);
    const entry = this.#add(client, amount, perClient, total);
    this.#lock.release(LOCK);
    if (typeof entry === "string") return entry;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#lock.acquire(LOCK);
      this.#count(entry, -amount);
      this.#lock.release(LOCK);
    };
  }

  /** The entry of `client`, {@linkcode NONE} without one. */
  #add(
    client: ClientKey | undefined,
    amount: number,
    perClient: number,
    total: number,
  ): number | Excess {
    if (this.#sum(SUMS) + amount > total) return "total";
    let entry = NONE;
    if (client !== undefined) {
      entry = this.#find(client);
      if (entry === NONE) return "clients";
      if (this.#sum(entry + AMOUNTS) + amount > perClient) return "client";
      this.#words[entry + HIGH] = client.high;
      this.#words[entry + LOW] = client.low;
    }
    this.#count(entry, amount);
    return entry;
  }

  #count(entry: number, amount: number): void {
    this.#words[SUMS + this.#front]! += amount;
    if (entry !== NONE) this.#words[entry + AMOUNTS + this.#front]! += amount;
  }

  /** The sum of the amounts of all fronts from word `start` on. */
  #sum(start: number): number {
    let sum = 0;
    for (let word = start; word < start + this.#fronts; word++) sum += this.#words[word]!;
    return sum;
  }

  /** The entry of `client`; otherwise a free one, {@linkcode NONE} if there is none. */
  #find(client: ClientKey): number {
    const words = this.#words;
    // As the table has them: signed.
    const high = client.high | 0;
    const low = client.low | 0;
    const home = this.#hash.of(client);
    let free = NONE;
    for (let i = 0; i < this.#window; i++) {
      const entry = this.#entries + (home + i & this.#clients - 1) * this.#stride;
      if (words[entry + LOW] === low && words[entry + HIGH] === high) return entry;
      if (free === NONE && this.#sum(entry + AMOUNTS) === 0) free = entry;
    }
    return free;
  }
}
