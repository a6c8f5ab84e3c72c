/**
 * {@linkcode StoreReads} on a table of keys and values in PostgreSQL.
 *
 * @module
 */

import { concat } from "../../base/bytes.ts";
import { decodeKey, encodeKey, rangeOf } from "../key_encoding.ts";
import type { StoreEntry, StoreReads, VersionedEntry } from "../store_engine.ts";
import { boundOf } from "../store_fault.ts";
import { storeFault } from "../store_fault.ts";
import type { Row } from "./postgres_connection.ts";
import type { PostgresPool } from "./postgres_pool.ts";
import { SCHEMA, type TableName } from "./postgres_schema.ts";
import { bytesOfColumn, bytesParameter, decodeValue } from "./postgres_values.ts";

/** Rows of one statement. */
const PAGE = 256;

/** Does not close the pool, which several tables share. */
export class PostgresReads implements StoreReads {
  readonly #pool: Pick<PostgresPool, "run">;
  readonly #one: string;
  readonly #ascending: string;
  readonly #descending: string;

  constructor(table: TableName, pool: Pick<PostgresPool, "run">) {
    this.#pool = pool;
    const from = `FROM ${SCHEMA}.${table}`;
    this.#one = `SELECT value ${from} WHERE key = $1::bytea`;
    const range = `SELECT key, value ${from} WHERE key >= $1::bytea AND key < $2::bytea`;
    this.#ascending = `${range} ORDER BY key LIMIT $3`;
    this.#descending = `${range} ORDER BY key DESC LIMIT $3`;
  }

  async get<T>(key: Deno.KvKey): Promise<VersionedEntry<T>> {
    try {
      const [row] = await this.#pool.run(this.#one, [bytesParameter(encodeKey(key))]);
      if (row === undefined) return { key, value: null, versionstamp: null };
      const column = row[0]!;
      return { key, value: decodeValue(column) as T, versionstamp: column.slice(2) };
    } catch (cause) {
      throw storeFault("read", cause, key);
    }
  }

  async *list<T>(
    selector: Deno.KvListSelector,
    { limit = Infinity, reverse = false }: Deno.KvListOptions = {},
  ): AsyncGenerator<StoreEntry<T>> {
    let [start, end] = rangeOf(selector);
    for (let left = limit; left > 0;) {
      const count = Math.min(left, PAGE);
      const text = reverse ? this.#descending : this.#ascending;
      let rows: readonly Row[];
      try {
        rows = await this.#pool.run(text, [bytesParameter(start), bytesParameter(end), count]);
      } catch (cause) {
        throw storeFault("read", cause, boundOf(selector, reverse));
      }
      for (const [key, value] of rows) {
        yield { key: decodeKey(bytesOfColumn(key!)), value: decodeValue(value!) as T };
      }
      const last = rows.at(-1)?.[0];
      if (typeof last !== "string" || rows.length < count) return;
      left -= rows.length;
      // The smallest key after a key is that key and a zero byte.
      if (reverse) end = bytesOfColumn(last);
      else start = concat(bytesOfColumn(last), Uint8Array.of(0));
    }
  }

  close(): void {}
}
