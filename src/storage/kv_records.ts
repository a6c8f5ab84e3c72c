/**
 * Reads all records of a store that may be damaged, for `fsck`. A record that the database or the decoder
 * cannot read is returned as damage, and reading continues after it.
 *
 * @module
 */

import type { Stored } from "../logs/audit/ports.ts";
import { isCount } from "../base/bytes.ts";
import type { Decoder } from "./numbered_records.ts";
import { reasonOf } from "./store_fault.ts";
import { bytesAt, type StoreEntry, type StoreReads } from "./store_engine.ts";

/** Larger than any number in a key. */
const LAST = Number.MAX_SAFE_INTEGER;
const PAGE = 500;
const MAX_STRAYS = 1_000;

/** Records whose keys end in a number. */
export class KvRecords {
  readonly #kv: StoreReads;
  readonly #strays = new Set<string>();

  constructor(kv: StoreReads) {
    this.#kv = kv;
  }

  /** Unknown keys among the records, at most 1,000. */
  get strays(): ReadonlySet<string> {
    return this.#strays;
  }

  /** The records under `prefix`, ascending by number. */
  async *under<T>(prefix: Deno.KvKey, decode: Decoder<T>): AsyncGenerator<Stored<T>> {
    let next = 0;
    let limit = PAGE;
    while (next < LAST) {
      const page = await this.#page(prefix, next, limit);
      if (page instanceof Array) {
        for (const entry of page) {
          if (isRecord(prefix, entry.key)) yield decoded(prefix, entry, decode);
          else if (this.#strays.size < MAX_STRAYS) this.#strays.add(keyText(entry.key));
        }
        if (page.length < limit) return;
        // A stray key may have more parts after the number: the next page begins after them.
        const last = page.at(-1)!.key[prefix.length] as number;
        next = Math.floor(last) + 1;
        limit = PAGE;
      } else if (limit > 1) {
        // Smaller pages, down to the record that cannot be read.
        limit = Math.ceil(limit / 8);
      } else {
        yield { key: next, damage: page.reason };
        next = await this.#readableFrom(prefix, next + 1);
        limit = PAGE;
      }
    }
  }

  /** The last number under `prefix`, or `undefined`. */
  async last(prefix: Deno.KvKey): Promise<number | undefined> {
    const selector = { start: [...prefix, 0], end: [...prefix, LAST] };
    try {
      for await (const { key } of this.#kv.list(selector, { reverse: true, limit: 1 })) {
        return key[prefix.length] as number;
      }
    } catch {
      // The damage is reported when all records are read.
    }
    return undefined;
  }

  /** The value at `key`, or why it cannot be read; `undefined` when there is none. */
  async at(key: Deno.KvKey): Promise<{ value: unknown } | { damage: string } | undefined> {
    try {
      const { value } = await this.#kv.get(key);
      return value === null ? undefined : { value };
    } catch (error) {
      return { damage: reasonOf(error) };
    }
  }

  /** The first `limit` keys in [start, end), or why they cannot be read. */
  async keys(
    start: Deno.KvKey,
    end: Deno.KvKey,
    limit = PAGE,
  ): Promise<Deno.KvKey[] | { reason: string }> {
    const keys: Deno.KvKey[] = [];
    try {
      for await (const { key } of this.#kv.list({ start, end }, { limit })) keys.push(key);
      return keys;
    } catch (error) {
      return { reason: reasonOf(error) };
    }
  }

  async #page(
    prefix: Deno.KvKey,
    start: number,
    limit: number,
  ): Promise<StoreEntry<unknown>[] | { reason: string }> {
    const entries: StoreEntry<unknown>[] = [];
    try {
      const selector = { start: [...prefix, start], end: [...prefix, LAST] };
      for await (const entry of this.#kv.list(selector, { limit, batchSize: limit })) {
        entries.push(entry);
      }
      return entries;
    } catch (error) {
      return { reason: reasonOf(error) };
    }
  }

  /**
   * A number from `start` on at which reading works again. Damage may span many records, so this finds the
   * end of it in steps that double, then by bisection.
   */
  async #readableFrom(prefix: Deno.KvKey, start: number): Promise<number> {
    const isReadable = async (at: number) => await this.#page(prefix, at, 1) instanceof Array;
    let step = 1;
    while (start + step < LAST && !await isReadable(start + step - 1)) step *= 2;
    let low = start;
    let high = Math.min(start + step - 1, LAST);
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await isReadable(middle)) high = middle;
      else low = middle + 1;
    }
    return high;
  }
}

/** A key as text for messages. */
export function keyText(key: Deno.KvKey): string {
  return JSON.stringify(key.map(String));
}

function isRecord(prefix: Deno.KvKey, key: Deno.KvKey): boolean {
  return key.length === prefix.length + 1 && isCount(key[prefix.length]);
}

function decoded<T>(
  prefix: Deno.KvKey,
  entry: StoreEntry<unknown>,
  decode: Decoder<T>,
): Stored<T> {
  const key = entry.key[prefix.length] as number;
  try {
    return { key, value: decode(key, bytesAt(entry.key, entry.value)) };
  } catch (error) {
    return { key, damage: reasonOf(error) };
  }
}
