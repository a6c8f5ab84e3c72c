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
 * Random tables assign clients to sets, so that nobody can choose whom to displace.
 *
 * @module
 */

/** A rate limit: `burst` at once and `perSecond` in the long run. Positive integers. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Identifies one client: 64 bits in two words. */
export interface ClientKey {
  readonly high: number;
  readonly low: number;
}

/** Slots of a table: 16 bytes each. */
export const REMEMBERED_CLIENTS = 65_536;

const WAYS = 8;
const BYTES_OF_KEY = 8;
/** Thousandths of a token, of which `perSecond` come back each millisecond. */
const TOKEN = 1_000;

/** See the module. Times are milliseconds of a monotonic clock. */
export class TokenBuckets {
  readonly #perMs: number;
  /** Thousandths of a token in a full bucket. */
  readonly #capacity: number;
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  /** Thousandths that refill from time 0 until this bucket is full. */
  readonly #fullAt: Float64Array;
  /** Tabulation hashing (Zobrist, 1970): a random word for each value of each byte of a key. */
  readonly #words = crypto.getRandomValues(new Uint32Array(BYTES_OF_KEY * 256));

  /** `clients` is the number of slots: a power of two, at least 8. */
  constructor({ perSecond, burst }: Rate, clients = REMEMBERED_CLIENTS) {
    this.#perMs = perSecond;
    this.#capacity = burst * TOKEN;
    this.#high = new Uint32Array(clients);
    this.#low = new Uint32Array(clients);
    this.#fullAt = new Float64Array(clients);
  }

  /** Bytes of memory, which are constant. */
  get byteLength(): number {
    return this.#high.byteLength + this.#low.byteLength + this.#fullAt.byteLength +
      this.#words.byteLength;
  }

  /**
   * Takes `cost` tokens of `client` and returns true, or takes none and returns false. A cost above
   * the capacity needs a full bucket, which then owes the rest.
   */
  take(client: ClientKey, cost: number, ms: number): boolean {
    const slot = this.#slotOf(client);
    const enough = Math.min(cost * TOKEN, this.#capacity);
    if (this.#owed(slot, ms) + enough > this.#capacity) return false;
    this.#put(slot, client, cost, ms);
    return true;
  }

  /** Takes `cost` tokens of `client`; the bucket may go below zero. */
  owe(client: ClientKey, cost: number, ms: number): void {
    this.#put(this.#slotOf(client), client, cost, ms);
  }

  /** Tokens of `client`; negative for a debt. */
  tokens(client: ClientKey, ms: number): number {
    return (this.#capacity - this.#owed(this.#slotOf(client), ms)) / TOKEN;
  }

  /** Thousandths of a token that are missing from a bucket. */
  #owed(slot: number, ms: number): number {
    return Math.max(this.#fullAt[slot]! - ms * this.#perMs, 0);
  }

  #put(slot: number, client: ClientKey, cost: number, ms: number): void {
    this.#high[slot] = client.high;
    this.#low[slot] = client.low;
    this.#fullAt[slot] = Math.max(this.#fullAt[slot]!, ms * this.#perMs) + cost * TOKEN;
  }

  /** The slot of `client`, or the one that it takes over. */
  #slotOf({ high, low }: ClientKey): number {
    const sets = this.#fullAt.length / WAYS;
    const start = (this.#hash(high, low) & (sets - 1)) * WAYS;
    let fullest = start;
    for (let slot = start; slot < start + WAYS; slot++) {
      if (this.#low[slot] === low && this.#high[slot] === high) return slot;
      if (this.#fullAt[slot]! < this.#fullAt[fullest]!) fullest = slot;
    }
    return fullest;
  }

  #hash(high: number, low: number): number {
    const words = this.#words;
    return words[high >>> 24]! ^ words[256 + (high >>> 16 & 255)]! ^
      words[512 + (high >>> 8 & 255)]! ^ words[768 + (high & 255)]! ^
      words[1024 + (low >>> 24)]! ^ words[1280 + (low >>> 16 & 255)]! ^
      words[1536 + (low >>> 8 & 255)]! ^ words[1792 + (low & 255)]!;
  }
}
