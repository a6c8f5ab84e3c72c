/**
 * One commit to a table of keys and values: one statement, which is its own transaction. A check that fails
 * raises an error, so that nothing is stored.
 *
 * @module
 */

import type { StoreCommit, VersionedEntry } from "../store_engine.ts";
import { encodeKey } from "../key_encoding.ts";
import { IS_SYNCHRONOUS, SCHEMA, type TableName } from "./postgres_schema.ts";
import { bytesArray, bytesParameter, encodeValue } from "./postgres_values.ts";

/** A statement with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The server may plan it once for all values: no part of it searches a table that grows. */
  readonly isPlannedOnce: boolean;
}

/** Runs `commit`, and resolves like {@linkcode StoreCommit.commit}. */
export type RunCommit = (commit: PostgresCommit) => Promise<{ readonly ok: boolean }>;

interface Change {
  readonly key: Uint8Array;
  /** Absent if the record is deleted, or only checked. */
  value?: Uint8Array;
  isDeleted: boolean;
  /** The value that the record must have, `null` if there must be none; absent if it is not checked. */
  expected?: Uint8Array | null;
}

/** A versionstamp is the value in hex: no record returns to an earlier value. */
export class PostgresCommit implements StoreCommit {
  readonly #table: string;
  readonly #held: string;
  readonly #run: RunCommit;
  readonly #changes = new Map<string, Change>();
  #holder: string | undefined;

  /** `held` is that of the fence (`postgres_fence.ts`). */
  constructor(table: TableName, held: string, run: RunCommit) {
    this.#table = `${SCHEMA}.${table}`;
    this.#held = held;
    this.#run = run;
  }

  check({ key, versionstamp }: Pick<VersionedEntry<unknown>, "key" | "versionstamp">): this {
    this.#at(key).expected = versionstamp === null ? null : Uint8Array.fromHex(versionstamp);
    return this;
  }

  set(key: Deno.KvKey, value: unknown): this {
    this.#at(key).value = encodeValue(value);
    return this;
  }

  delete(key: Deno.KvKey): this {
    this.#at(key).isDeleted = true;
    return this;
  }

  /** The commit requires that `holder`, which is `$1` of `held`, has the fence. */
  guardedBy(holder: string): this {
    this.#holder = holder;
    return this;
  }

  commit(): Promise<{ readonly ok: boolean }> {
    return this.#run(this);
  }

  /** The keys of all records in hex. */
  get keys(): Iterable<string> {
    return this.#changes.keys();
  }

  /** Fails with `division_by_zero` or `unique_violation` if a check fails. */
  statement(): Statement {
    const values: unknown[] = [];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const parts: string[] = [];
    const checks: string[] = [];
    const insert = (changes: readonly Change[]) => {
      const keys = parameter(bytesArray(changes.map(({ key }) => key)));
      const contents = parameter(bytesArray(changes.map(({ value }) => value!)));
      return `INSERT INTO ${this.#table} (key, value) ` +
        `SELECT * FROM unnest(${keys}::bytea[], ${contents}::bytea[])`;
    };
    if (this.#holder !== undefined) {
      parameter(this.#holder);
      parts.push(`held AS MATERIALIZED (${this.#held})`);
      checks.push("(SELECT count(*) FROM held) = 1");
    }
    const all = [...this.#changes.values()];
    const added = all.filter(({ value, expected }) => value && expected === null);
    if (added.length > 0) parts.push(`added AS (${insert(added)})`);
    const set = all.filter(({ value, expected }) => value && expected === undefined);
    if (set.length > 0) {
      parts.push(
        `stored AS (${insert(set)} ON CONFLICT (key) DO UPDATE SET value = excluded.value)`,
      );
    }
    const deleted = all.filter(({ isDeleted }) => isDeleted);
    if (deleted.length > 0) {
      const keys = parameter(bytesArray(deleted.map(({ key }) => key)));
      parts.push(`deleted AS (DELETE FROM ${this.#table} WHERE key = ANY (${keys}::bytea[]))`);
    }
    const searched = all.filter(({ value, expected }) =>
      expected !== undefined && !(expected === null && value)
    );
    for (const [i, { key, value, expected }] of searched.entries()) {
      const where = `WHERE key = ${parameter(bytesParameter(key))}::bytea`;
      if (expected === null) {
        checks.push(`NOT EXISTS (SELECT FROM ${this.#table} ${where})`);
        continue;
      }
      const same = `${where} AND value = ${parameter(bytesParameter(expected!))}::bytea`;
      if (value === undefined) {
        // The lock keeps other commits from changing the record before this one is stored.
        parts.push(
          `same${i} AS MATERIALIZED (SELECT 1 FROM ${this.#table} ${same} FOR SHARE)`,
        );
        checks.push(`(SELECT count(*) FROM same${i}) = 1`);
        continue;
      }
      const next = `${parameter(bytesParameter(value))}::bytea`;
      const update = `UPDATE ${this.#table} SET value = ${next} ${same} RETURNING 1`;
      parts.push(`replaced${i} AS (${update})`);
      checks.push(`(SELECT count(*) FROM replaced${i}) = 1`);
    }
    const conditions = checks.length === 0 ? "true" : checks.join(" AND ");
    return {
      text: `${parts.length === 0 ? "" : `WITH ${parts.join(", ")} `}` +
        `SELECT ${IS_SYNCHRONOUS} / CASE WHEN ${conditions} THEN 1 ELSE 0 END`,
      values,
      isPlannedOnce: searched.length === 0 && deleted.length === 0,
    };
  }

  #at(key: Deno.KvKey): Change {
    const encoded = encodeKey(key);
    const name = encoded.toHex();
    let change = this.#changes.get(name);
    if (change === undefined) {
      change = { key: encoded, isDeleted: false };
      this.#changes.set(name, change);
    }
    return change;
  }
}
