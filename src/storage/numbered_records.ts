/**
 * Records whose keys are a prefix and a number.
 *
 * @module
 */

import { bytesAt, type StoreEntry, type StoreReads } from "./store_engine.ts";

/** Decodes the record with `number`; `store_corrupt`. */
export type Decoder<T> = (number: number, value: Uint8Array) => T;

/** The records with numbers in [`start`, `end`); all without bounds. */
export interface Selection {
  readonly start?: number;
  readonly end?: number | undefined;
  readonly limit?: number;
  /** Descending. */
  readonly reverse?: boolean;
}

/** The records under `prefix`. Reads reject with `store_corrupt` or `storage_failed`. */
export class NumberedRecords<T> {
  readonly #reads: Pick<StoreReads, "get" | "list">;
  readonly #prefix: Deno.KvKey;
  readonly #decode: Decoder<T>;

  constructor(
    reads: Pick<StoreReads, "get" | "list">,
    prefix: Deno.KvKey,
    decode: Decoder<T>,
  ) {
    this.#reads = reads;
    this.#prefix = prefix;
    this.#decode = decode;
  }

  async at(number: number): Promise<T | undefined> {
    const key = [...this.#prefix, number];
    const { value } = await this.#reads.get<unknown>(key);
    return value === null ? undefined : this.#decode(number, bytesAt(key, value));
  }

  async list(selection: Selection): Promise<T[]> {
    const records: T[] = [];
    for await (const { key, value } of this.#listed(selection)) {
      records.push(this.#decode(this.#numberOf(key), bytesAt(key, value)));
    }
    return records;
  }

  /** The first record from `start` on. */
  async first(start: number): Promise<T | undefined> {
    return (await this.list({ start, limit: 1 }))[0];
  }

  /** The last record before `end`. */
  async last(end?: number): Promise<T | undefined> {
    return (await this.list({ end, limit: 1, reverse: true }))[0];
  }

  /** The number after the last record. */
  async nextNumber(): Promise<number> {
    const [last] = await this.numbers({ limit: 1, reverse: true });
    return last === undefined ? 0 : last + 1;
  }

  /** The numbers of records, damaged ones too. */
  async numbers(selection: Selection): Promise<number[]> {
    const numbers: number[] = [];
    for await (const { key } of this.#listed(selection)) numbers.push(this.#numberOf(key));
    return numbers;
  }

  async *entries(): AsyncGenerator<readonly [number: number, record: T]> {
    for await (const { key, value } of this.#listed({})) {
      const number = this.#numberOf(key);
      yield [number, this.#decode(number, bytesAt(key, value))];
    }
  }

  #listed(
    { start = 0, end = Number.MAX_SAFE_INTEGER, ...options }: Selection,
  ): AsyncIterable<StoreEntry<unknown>> {
    const selector = {
      start: [...this.#prefix, start],
      end: [...this.#prefix, Math.max(start, end)],
    };
    return this.#reads.list<unknown>(selector, options);
  }

  #numberOf(key: Deno.KvKey): number {
    return key[this.#prefix.length] as number;
  }
}
