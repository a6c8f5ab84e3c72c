/**
 * Reads a Deno KV file through SQLite in this thread, with read permission alone. With 1e7 attestations, a look-up takes a third of
 * the processor time of Deno KV, which uses another thread, and a short list half to two thirds. Reads
 * block this thread if the system has not cached the file. Deno KV stores its rows in one table:
 *
 *     kv     k BLOB PRIMARY KEY, v BLOB, v_encoding INTEGER, ...
 *     k      the key (`key_encoding.ts`)
 *     v      the bytes as they are where v_encoding is 3, a value as V8 serializes it where it is 1
 *
 * This layout is not documented, so it is checked when a file is opened. Both use the same SQLite library
 * in one process, so neither releases locks of the other. Readers of a write-ahead log see earlier
 * commits and do not block writers.
 *
 * @module
 */

import { DatabaseSync, type StatementSync } from "node:sqlite";
import { deserialize } from "node:v8";
import { concat } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import { storeFault } from "./store_fault.ts";
import { decodeKey, encodeKey, rangeOf } from "./key_encoding.ts";
import type { StoreEntry, StoreReads } from "./store_engine.ts";
import { boundOf } from "./store_fault.ts";
import { META_KEY, type StoreMeta } from "./store_meta.ts";

/** SQLite's page cache: the upper levels of 1e7 attestations. */
const CACHE_KIB = 32_768;
/** Rows per query of a list. */
const PAGE = 256;
/** Encodings of values. Our stores never use Deno KV's third one, 2. */
const V8_ENCODING = 1;
const BYTES_ENCODING = 3;

interface Row {
  readonly k: Uint8Array;
  readonly v: Uint8Array;
  readonly v_encoding: number;
}

/** {@linkcode openSqliteReads}, or `kv`, which has the file open, if it has another layout. */
export function openReads(path: string, kv: StoreReads): StoreReads {
  try {
    return openSqliteReads(path);
  } catch {
    return kv;
  }
}

/**
 * Opens the store at `path`, which exists. `storage_failed` if it cannot be read or has another layout,
 * `store_corrupt` if it is damaged. `cacheKib` is the limit of SQLite's page cache.
 */
export function openSqliteReads(path: string, cacheKib: number = CACHE_KIB): SqliteReads {
  return openDatabase(path, cacheKib, (reads) => reads.checkLayout());
}

/** {@linkcode openSqliteReads} for an audit: any of its records may be damaged or missing. */
export function openAuditedReads(path: string): SqliteReads {
  return openDatabase(path, CACHE_KIB);
}

function openDatabase(
  path: string,
  cacheKib: number,
  check?: (reads: SqliteReads) => void,
): SqliteReads {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
    database.exec(`PRAGMA cache_size = -${cacheKib}`);
    const reads = new SqliteReads(database);
    check?.(reads);
    return reads;
  } catch (cause) {
    database?.close();
    throw storeFault("read", cause);
  }
}

/** An open file. After `close()`, reads reject with `shutting_down`. */
export class SqliteReads implements StoreReads {
  readonly #database: DatabaseSync;
  readonly #one: StatementSync;
  readonly #ascending: StatementSync;
  readonly #descending: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#one = database.prepare("SELECT k, v, v_encoding FROM kv WHERE k = ?");
    const range = "SELECT k, v, v_encoding FROM kv WHERE k >= ? AND k < ? ORDER BY k";
    // With a bare parameter as its limit, SQLite would compile a statement again for each binding.
    this.#ascending = database.prepare(`${range} LIMIT ? + 0`);
    this.#descending = database.prepare(`${range} DESC LIMIT ? + 0`);
  }

  /** Every store has the record that is read here, under a key and in an encoding of this layout. */
  checkLayout(): void {
    const meta = this.#value<Partial<StoreMeta>>(META_KEY);
    if (typeof meta?.format_version === "number") return;
    throw new CountersignError(
      "storage_failed",
      "Cannot read the store through SQLite: its format is not found where it is expected",
    );
  }

  get<T>(key: Deno.KvKey): Promise<{ readonly value: T | null }> {
    try {
      return Promise.resolve({ value: this.#value<T>(key) });
    } catch (cause) {
      return Promise.reject(this.#fault(cause, key));
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
        throw this.#fault(cause, boundOf(selector, reverse));
      }
      for (const row of rows) {
        const key = decodeKey(row.k);
        yield { key, value: valueOf(key, row) as T };
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
    if (this.#database.isOpen) this.#database.close();
  }

  #fault(cause: unknown, key: Deno.KvKey): CountersignError {
    return this.#database.isOpen
      ? storeFault("read", cause, key)
      : new CountersignError("shutting_down", "The store is closed", { cause });
  }

  #value<T>(key: Deno.KvKey): T | null {
    const row = this.#one.get(encodeKey(key)) as Row | undefined;
    return row === undefined ? null : valueOf(key, row) as T;
  }
}

/** The value of a row; `store_corrupt`. */
function valueOf(key: Deno.KvKey, { v, v_encoding }: Row): unknown {
  if (v_encoding === BYTES_ENCODING) return v;
  if (v_encoding !== V8_ENCODING) throw unreadable(key, "unknown encoding");
  try {
    return deserialize(v);
  } catch {
    throw unreadable(key, "V8 cannot deserialize its value");
  }
}

function unreadable(key: Deno.KvKey, reason: string): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot read ${JSON.stringify(key)} of the store: ${reason}`,
  );
}
