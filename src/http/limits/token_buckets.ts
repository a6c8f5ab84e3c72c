/**
 * Token buckets for many clients in constant memory.
 *
 * A bucket is one number: the time at which it is full again. A full bucket needs no memory. The
 * others are in a table of fixed size, in sets of eight slots. A client without a slot takes over
 * the fullest slot of its set, *with its debt* (Metwally, Agrawal, El Abbadi: Efficient Computation
 * of Frequent and Top-k Elements in Data Streams, 2005). So with any number of client addresses:
 *
 * - Losing its slot never gives a client more budget: a debt only shrinks with time, and the slots
 *   that were not taken over owe more than the one that was.
 * - A set lets through as much as eight clients, not more.
 *
 * A table in shared memory is used by several fronts, with a lock for each set.
 *
 * @module
 */

import { ClientHash, HASH_BYTES, initializeHash } from "./client_hash.ts";
import type { ClientKey } from "./client_key.ts";
import { releaseLocksOf, SharedLocks } from "./shared_locks.ts";

/** A rate limit: `burst` at once and `perSecond` in the long run. Positive integers. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Slots of a table: 16 bytes each. */
export const REMEMBERED_CLIENTS = 65_536;

const WAYS = 8;
/** Thousandths of a token, of which `perSecond` come back each millisecond. */
const TOKEN = 1_000;
/** In thousandths: a smaller difference is an error of rounding. */
const ROUNDING = 0.5;
const SLOT_BYTES = 16;
const LOCK_BYTES = 4;

/**
 * The memory of a table of `clients` slots: a power of two, at least 8. It is constant: the words that
 * assign clients to sets, the slots and, if it is shared, the locks.
 */
export function bucketMemory(clients: number): ArrayBuffer {
  const memory = new ArrayBuffer(HASH_BYTES + clients * SLOT_BYTES);
  initializeHash(memory);
  return memory;
}

/** {@linkcode bucketMemory} for several fronts. */
export function sharedBucketMemory(clients = REMEMBERED_CLIENTS): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(
    HASH_BYTES + clients * SLOT_BYTES + clients / WAYS * LOCK_BYTES,
  );
  initializeHash(memory);
  return memory;
}

/** Releases the locks of `front`, whose thread has ended. Takes from clients stay. */
export function releaseBucketsOf(memory: SharedArrayBuffer, front: number): void {
  releaseLocksOf(locksIn(memory), front);
}

function setsIn(memory: ArrayBufferLike): number {
  const lockBytes = memory instanceof SharedArrayBuffer ? LOCK_BYTES : 0;
  return (memory.byteLength - HASH_BYTES) / (WAYS * SLOT_BYTES + lockBytes);
}

function locksIn(memory: SharedArrayBuffer): Int32Array<SharedArrayBuffer> {
  const sets = setsIn(memory);
  return new Int32Array(memory, HASH_BYTES + sets * WAYS * SLOT_BYTES, sets);
}

/**
 * Times are milliseconds of a monotonic clock. A client with a rate of its own passes
 * it to every method.
 */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #sets: number;
  readonly #hash: ClientHash;
  /** Thousandths that refill from time 0 until this bucket is full. */
  readonly #fullAt: Float64Array;
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  /** Locks of the sets; absent if one thread has the table. */
  readonly #locks: SharedLocks | undefined;

  /** `front` is the number of this thread's front if `memory` is shared. */
  constructor(
    rate: Rate,
    memory: ArrayBufferLike = bucketMemory(REMEMBERED_CLIENTS),
    front = 0,
  ) {
    this.#rate = rate;
    this.#sets = setsIn(memory);
    this.#hash = new ClientHash(memory);
    const slots = this.#sets * WAYS;
    this.#fullAt = new Float64Array(memory, HASH_BYTES, slots);
    this.#high = new Uint32Array(memory, HASH_BYTES + 8 * slots, slots);
    this.#low = new Uint32Array(memory, HASH_BYTES + 12 * slots, slots);
    if (memory instanceof SharedArrayBuffer) {
      this.#locks = new SharedLocks(locksIn(memory), front);
    }
  }

  /**
   * Takes `cost` tokens of `client` and returns true, or takes none and returns false. A cost above
   * the capacity needs a full bucket, which then owes the rest.
   */
  take(client: ClientKey, cost: number, ms: number, rate = this.#rate): boolean {
    const set = this.#setOf(client);
    this.#locks?.acquire(set);
    const slot = this.#slotOf(client, set);
    const capacity = this.#thousandths(rate.burst, rate);
    const taken = this.#thousandths(cost, rate);
    const isTaken = this.#owed(slot, ms) + Math.min(taken, capacity) <= capacity + ROUNDING;
    if (isTaken) this.#put(slot, client, taken, ms);
    this.#locks?.release(set);
    return isTaken;
  }

  /** Takes `cost` tokens of `client`; the bucket may go below zero. */
  owe(client: ClientKey, cost: number, ms: number, rate = this.#rate): void {
    const set = this.#setOf(client);
    this.#locks?.acquire(set);
    this.#put(this.#slotOf(client, set), client, this.#thousandths(cost, rate), ms);
    this.#locks?.release(set);
  }

  /** Returns `cost` tokens that were taken of `client`, unless its slot was taken over since. */
  giveBack(client: ClientKey, cost: number, rate = this.#rate): void {
    const set = this.#setOf(client);
    this.#locks?.acquire(set);
    const slot = this.#slotOf(client, set);
    const isTheirs = this.#low[slot] === client.low && this.#high[slot] === client.high;
    if (isTheirs) this.#fullAt[slot]! -= this.#thousandths(cost, rate);
    this.#locks?.release(set);
  }

  /** Tokens of `client`; negative for a debt. */
  tokens(client: ClientKey, ms: number, rate = this.#rate): number {
    const set = this.#setOf(client);
    this.#locks?.acquire(set);
    const owed = this.#owed(this.#slotOf(client, set), ms);
    this.#locks?.release(set);
    return (this.#thousandths(rate.burst, rate) - owed) / this.#thousandths(1, rate);
  }

  /**
   * What `tokens` of a bucket with `rate` are in the thousandths of this table, in which all buckets
   * refill equally fast.
   */
  #thousandths(tokens: number, { perSecond }: Rate): number {
    const own = this.#rate.perSecond;
    return perSecond === own ? tokens * TOKEN : tokens * TOKEN * own / perSecond;
  }

  /** Thousandths of a token that are missing from a bucket. */
  #owed(slot: number, ms: number): number {
    return Math.max(this.#fullAt[slot]! - ms * this.#rate.perSecond, 0);
  }

  #put(slot: number, client: ClientKey, thousandths: number, ms: number): void {
    this.#high[slot] = client.high;
    this.#low[slot] = client.low;
    // Last: a front may end in between, and a debt must never get smaller.
    const now = ms * this.#rate.perSecond;
    this.#fullAt[slot] = Math.max(this.#fullAt[slot]!, now) + thousandths;
  }

  #setOf(client: ClientKey): number {
    return this.#hash.of(client) & (this.#sets - 1);
  }

  /** The slot of `client` in its set, or the one that it takes over. */
  #slotOf({ high, low }: ClientKey, set: number): number {
    const start = set * WAYS;
    let fullest = start;
    for (let slot = start; slot < start + WAYS; slot++) {
      if (this.#low[slot] === low && this.#high[slot] === high) return slot;
      if (this.#fullAt[slot]! < this.#fullAt[fullest]!) fullest = slot;
    }
    return fullest;
  }
}
