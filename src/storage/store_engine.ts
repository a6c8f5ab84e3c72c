/**
 * The engine of a store: records in the order of their keys, and commits that check records. Deno KV
 * (`store_kv.ts`) and PostgreSQL (`postgres/`) are engines; all adapters run on either.
 *
 *     key      texts and numbers from 0 on, ordered part by part, texts before numbers
 *     value    bytes, or a value of JSON other than null
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";

export interface StoreEntry<T> {
  readonly key: Deno.KvKey;
  readonly value: T;
}

/** The reads of an engine. They reject with `store_corrupt` or `storage_failed`. */
export interface StoreReads {
  get<T>(key: Deno.KvKey): Promise<{ readonly value: T | null }>;
  list<T>(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): AsyncIterable<StoreEntry<T>>;
  close(): void;
}

/** A record as it was read; both are `null` if there is none. */
export interface VersionedEntry<T> {
  readonly key: Deno.KvKey;
  readonly value: T | null;
  /** Opaque; equal only if the record has not changed. */
  readonly versionstamp: string | null;
}

/** A read sees every commit that resolved before it. */
export interface StoreEngine extends StoreReads {
  get<T>(key: Deno.KvKey): Promise<VersionedEntry<T>>;
  atomic(): StoreCommit;
}

/**
 * One commit: sets and deletes, all or none, if every checked record is unchanged. A key is set or deleted
 * at most once. A commit uses only these operations: with others, a Deno KV commit that throws can be
 * partly stored.
 */
export interface StoreCommit {
  /** The record must have this versionstamp; `null`: it must not exist. */
  check(check: Pick<VersionedEntry<unknown>, "key" | "versionstamp">): StoreCommit;
  set(key: Deno.KvKey, value: unknown): StoreCommit;
  delete(key: Deno.KvKey): StoreCommit;
  /**
   * `ok` once the commit is durable; not `ok` if a check failed, and nothing is stored. Rejects with an
   * unknown outcome (`gateway/settle.ts`).
   */
  commit(): Promise<{ readonly ok: boolean }>;
}

/** Decides which process may commit to a store. */
export interface StoreFence {
  /**
   * Takes the fence from its holder: after that, guarded commits of earlier holders fail.
   * `fence_lost` if another process takes it at the same moment; `storage_failed`, `store_corrupt`.
   */
  take(): Promise<void>;
  /** `fence_lost` if another process took the fence after this one took it or first tried to. */
  check(): Promise<void>;
  /** Adds to `commit` the check that this process holds the fence; `fence_lost` if it never took it. */
  guard(commit: StoreCommit): StoreCommit;
}

/** A check that there is no record under `key`. */
export function absent(key: Deno.KvKey): Pick<VersionedEntry<unknown>, "key" | "versionstamp"> {
  return { key, versionstamp: null };
}

export function fenceLost(): CountersignError {
  return new CountersignError(
    "fence_lost",
    "Cannot write to the store: another process has taken it over",
  );
}

/** `value` if it is bytes; `store_corrupt`. */
export function bytesAt(key: Deno.KvKey, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new CountersignError(
    "store_corrupt",
    `Cannot read ${JSON.stringify(key)} of the store: the value is not bytes`,
  );
}
