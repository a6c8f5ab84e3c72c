/**
 * Token buckets of very many clients in little memory.
 *
 * A bucket is one number, by when it is full again: one that is full needs no memory, and the others
 * are at most as many as what was taken in the time in which it comes back. A table of fixed size
 * holds them, eight to a set. A client that is in none of its set's eight slots takes over the one
 * that is nearest to full, *with what is owed in it* (Metwally, Agrawal, El Abbadi: Efficient
 * Computation of Frequent and Top-k Elements in Data Streams, 2005). Two rules follow, whoever asks
 * from however many addresses:
 *
 * - Nobody gains by being forgotten. What a slot owes only shrinks with time, and whoever took the
 *   fullest one left behind only slots that owe more: who comes back finds no more than was left.
 * - A full set of buckets lets through what eight clients may do, not more.
 *
 * Which clients share a set depends on random tables, so that nobody can choose whom to displace.
 *
 * @module
 */

/** What one client may do: `burst` at once, and `perSecond` in the long run. Positive integers. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Who is counted as one client: 64 bits in two words. */
export interface ClientKey {
  readonly high: number;
  readonly low: number;
}

/** Slots of a table: 16 bytes each. */
export const REMEMBERED_CLIENTS = 65_536;

const WAYS = 8;
const BYTES_OF_KEY = 8;
/** A token is counted in thousandths, of which `perSecond` come back in a millisecond. */
const TOKEN = 1_000;

/** See the module. Times are milliseconds since any fixed moment, and never go back. */
export class TokenBuckets {
  readonly #perMs: number;
  /** Thousandths of a token in a full bucket. */
  readonly #capacity: number;
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  /** By how much all buckets have to have been refilled since time 0 for this one to be full. */
  readonly #fullAt: Float64Array;
  /** Tabulation hashing (Zobrist, 1970): a random word for each value of each byte of a key. */
  readonly #words = crypto.getRandomValues(new Uint32Array(BYTES_OF_KEY * 256));

  /** `clients` is how many are remembered: a power of two, from 8 on. */
  constructor({ perSecond, burst }: Rate, clients = REMEMBERED_CLIENTS) {
    this.#perMs = perSecond;
    this.#capacity = burst * TOKEN;
    this.#high = new Uint32Array(clients);
    this.#low = new Uint32Array(clients);
    this.#fullAt = new Float64Array(clients);
  }

  /** Bytes of memory, which stay the same. */
  get byteLength(): number {
    return this.#high.byteLength + this.#low.byteLength + this.#fullAt.byteLength +
      this.#words.byteLength;
  }

  /**
   * Takes `cost` tokens of `client`, and answers whether they were there. More than a full bucket holds
   * is taken of a full one, which then owes the rest.
   */
  take(client: ClientKey, cost: number, ms: number): boolean {
    const slot = this.#slotOf(client);
    const enough = Math.min(cost * TOKEN, this.#capacity);
    if (this.#owed(slot, ms) + enough > this.#capacity) return false;
    this.#put(slot, client, cost, ms);
    return true;
  }

  /** Takes `cost` tokens of `client`, who owes those that are not there. */
  owe(client: ClientKey, cost: number, ms: number): void {
    this.#put(this.#slotOf(client), client, cost, ms);
  }

  /** Tokens that `client` has, which are fewer than none where some are owed. */
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

  /** The slot of `client`, or the one that it may take over. */
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
