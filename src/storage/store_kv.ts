/**
 * A Deno KV handle of a store. Its reads reject with CountersignErrors.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { prepareDatabase } from "./database_probe.ts";
import { plainReason, reasonOf, storeFault } from "./store_fault.ts";

export interface StoreEntry<T> {
  readonly key: Deno.KvKey;
  readonly value: T;
}

/** The reading part of Deno KV. Rejects with `store_corrupt` or `storage_failed`. */
export interface StoreReads {
  get<T>(key: Deno.KvKey): Promise<{ readonly value: T | null }>;
  list<T>(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): AsyncIterable<StoreEntry<T>>;
  close(): void;
}

/** The first key of a selection, for messages. */
export function boundOf(selector: Deno.KvListSelector, reverse = false): Deno.KvKey {
  if (reverse && "end" in selector) return selector.end;
  return "start" in selector ? selector.start : selector.prefix;
}

/** `value` if it is bytes; `store_corrupt`. */
export function bytesAt(key: Deno.KvKey, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new CountersignError(
    "store_corrupt",
    `Cannot read ${JSON.stringify(key)} of the store: the value is not bytes`,
  );
}

/** The methods of Deno KV that stores use. Reads reject with `store_corrupt` or `storage_failed`. */
export class StoreKv implements StoreReads {
  readonly #kv: Deno.Kv;

  constructor(kv: Deno.Kv) {
    this.#kv = kv;
  }

  get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return this.#kv.get<T>(key).catch((cause) => refuseRead(cause, key));
  }

  async *list<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): AsyncGenerator<Deno.KvEntry<T>> {
    try {
      yield* this.#kv.list<T>(selector, options);
    } catch (cause) {
      refuseRead(cause, boundOf(selector, options.reverse));
    }
  }

  /** A commit that rejects, as in Deno KV, has an unknown outcome (`gateway/settle.ts`). */
  atomic(): Deno.AtomicOperation {
    return this.#kv.atomic();
  }

  close(): void {
    this.#kv.close();
  }
}

/**
 * Opens the database at `path`, or creates it for its owner only. `store_corrupt` when it is damaged,
 * `file_failed` when the path has no database and none can be created.
 */
export async function openStoreKv(path: string): Promise<StoreKv> {
  try {
    if (path !== ":memory:") await prepareDatabase(path);
    return new StoreKv(await Deno.openKv(path));
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    const reason = plainReason(reasonOf(cause));
    // In a read-only folder the lock file can be opened, so the fault shows here.
    const hint = /^(read-only|no permission)/.test(reason)
      ? `. Make the folder and its files writable, or check them with countersign fsck --data`
      : "";
    throw new CountersignError(
      "file_failed",
      `Cannot open store "${path}": ${reason}${hint}`,
      { cause },
    );
  }
}

function refuseRead(cause: unknown, key: Deno.KvKey): never {
  throw storeFault("read", cause, key);
}
