/**
 * Reads a Deno KV file through SQLite in this thread. With 1e7 attestations, a look-up takes a third of
 * the processor time of Deno KV, which uses another thread, and a short list half to two thirds. Reads
 * block this thread if the system has not cached the file. Deno KV stores its rows in one table:
 *
 *     kv     k BLOB PRIMARY KEY, v BLOB, v_encoding INTEGER, ...
 *     k      all parts in order: 02 || UTF-8, with 00 as 00 ff || 00 for a text,
 *            21 || big-endian double with its sign bit inverted for a number from 0 on
 *     v      the bytes as they are where v_encoding is 3
 *
 * This layout is not documented, so files with another layout are read through Deno KV. Both use the same
 * SQLite library in one process, so neither releases locks of the other. Readers of a write-ahead log
 * see earlier commits and do not block writers.
 *
 * @module
 */

import { DatabaseSync, type StatementSync } from "node:sqlite";
import { concat } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import { logKeys } from "./log_keys.ts";
import { storeFault } from "../store_fault.ts";
import { boundOf, type StoreEntry, type StoreReads } from "../store_kv.ts";

/** SQLite's page cache: the upper levels of 1e7 attestations. */
const CACHE_KIB = 32_768;
/** Rows per query of a list. */
const PAGE = 256;
/** Encodings of values. Our stores never use Deno KV's third one, 2. */
const V8_ENCODING = 1;
const BYTES_ENCODING = 3;
const TEXT_TAG = 0x02;
const NUMBER_TAG = 0x21;
const NUMBER_LENGTH = 9;
const SIGN_BIT = 0x80;

interface Row {
  readonly k: Uint8Array;
  readonly v: Uint8Array;
  readonly v_encoding: number;
}

/**
 * Returns reads of the file at `path`, which `kv` has open. Returns `kv` itself when the file has another
 * layout or cannot be opened twice.
 */
export async function openReads(path: string, kv: StoreReads): Promise<StoreReads> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const reads = new SqliteReads(database, kv);
    if (await reads.finds(logKeys.meta())) return reads;
  } catch {
    // Fall back to Deno KV, which has opened it.
  }
  database?.close();
  return kv;
}

class SqliteReads implements StoreReads {
  readonly #database: DatabaseSync;
  readonly #kv: StoreReads;
  readonly #one: StatementSync;
  readonly #ascending: StatementSync;
  readonly #descending: StatementSync;

  constructor(database: DatabaseSync, kv: StoreReads) {
    this.#database = database;
    this.#kv = kv;
    this.#one = database.prepare("SELECT k, v, v_encoding FROM kv WHERE k = ?");
    const range = "SELECT k, v, v_encoding FROM kv WHERE k >= ? AND k < ? ORDER BY k";
    this.#ascending = database.prepare(`${range} LIMIT ?`);
    this.#descending = database.prepare(`${range} DESC LIMIT ?`);
  }

  /** Whether a row of Deno KV is found under the same key. */
  async finds(key: Deno.KvKey): Promise<boolean> {
    const { value } = await this.#kv.get(key);
    return value !== null && this.#one.get(encodeKey(key)) !== undefined;
  }

  get<T>(key: Deno.KvKey): Promise<{ readonly value: T | null }> {
    try {
      const row = this.#one.get(encodeKey(key)) as Row | undefined;
      if (row === undefined) return Promise.resolve({ value: null });
      if (row.v_encoding === BYTES_ENCODING) return Promise.resolve({ value: row.v as T });
      return row.v_encoding === V8_ENCODING
        ? this.#kv.get<T>(key)
        : Promise.reject(wrongEncoding(key));
    } catch (cause) {
      return Promise.reject(storeFault("read", cause, key));
    }
  }

  async *list<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncGenerator<StoreEntry<T>> {
    const { limit = Infinity, reverse = false } = options;
    let [start, end] = rangeOf(selector);
    for (let left = limit; left > 0;) {
      const count = Math.min(left, PAGE);
      let rows: readonly Row[];
      try {
        const statement = reverse ? this.#descending : this.#ascending;
        rows = statement.all(start, end, count) as unknown as readonly Row[];
      } catch (cause) {
        throw storeFault("read", cause, boundOf(selector, reverse));
      }
      for (const { k, v, v_encoding } of rows) {
        const key = decodeKey(k);
        if (v_encoding !== BYTES_ENCODING && v_encoding !== V8_ENCODING) throw wrongEncoding(key);
        const value = v_encoding === BYTES_ENCODING ? v : (await this.#kv.get<T>(key)).value;
        if (value !== null) yield { key, value: value as T };
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < count) return;
      left -= rows.length;
      // The smallest key after a key is that key and a zero byte.
      if (reverse) end = last.k;
      else start = concat(last.k, Uint8Array.of(0));
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** Start (inclusive) and end (exclusive) of a selection. */
function rangeOf(selector: Deno.KvListSelector): [Uint8Array, Uint8Array] {
  const prefix = "prefix" in selector ? encodeKey(selector.prefix) : undefined;
  const start = "start" in selector
    ? encodeKey(selector.start)
    : concat(prefix!, Uint8Array.of(0x00));
  const end = "end" in selector ? encodeKey(selector.end) : concat(prefix!, Uint8Array.of(0xff));
  return [start, end];
}

/** Encodes a key of ASCII texts without zeros and numbers from 0 on. */
export function encodeKey(key: Deno.KvKey): Uint8Array {
  let length = 0;
  for (const part of key) length += typeof part === "string" ? part.length + 2 : NUMBER_LENGTH;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of key) {
    if (typeof part === "string") {
      bytes[at++] = TEXT_TAG;
      for (let i = 0; i < part.length; i++) bytes[at++] = part.charCodeAt(i);
      at++;
    } else {
      bytes[at] = NUMBER_TAG;
      view.setFloat64(at + 1, Number(part));
      bytes[at + 1]! ^= SIGN_BIT;
      at += NUMBER_LENGTH;
    }
  }
  return bytes;
}

/** The inverse of {@linkcode encodeKey}; `store_corrupt` for other bytes. */
export function decodeKey(bytes: Uint8Array): Deno.KvKeyPart[] {
  const parts: Deno.KvKeyPart[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] === NUMBER_TAG && at + NUMBER_LENGTH <= bytes.length) {
      // The inverted sign bit of numbers from 0 on makes the double negative.
      const number = -view.getFloat64(at + 1);
      if (!(number >= 0)) throw notAKey();
      parts.push(number);
      at += NUMBER_LENGTH;
    } else {
      const end = bytes.indexOf(0, at);
      if (bytes[at] !== TEXT_TAG || end < 0) throw notAKey();
      let text = "";
      for (at++; at < end; at++) text += String.fromCharCode(bytes[at]!);
      parts.push(text);
      at++;
    }
  }
  return parts;
}

/** Not read through Deno KV, which panics on encoding 2 with a value that is not 8 bytes. */
function wrongEncoding(key: Deno.KvKey): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot read ${JSON.stringify(key)} of the store: unknown encoding`,
  );
}

function notAKey(): CountersignError {
  return new CountersignError(
    "store_corrupt",
    "Cannot read the store: a key is not of texts and numbers",
  );
}
