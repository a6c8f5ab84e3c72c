/**
 * One Deno KV handle of a store, whose reads reject with errors of ours.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { probeDatabase } from "./database_probe.ts";
import { makePrivateFile } from "./private_file.ts";
import { plainReason, reasonOf, storeFault } from "./store_fault.ts";

/** What stands under a key. */
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

/** The key at which a selection begins, to name it. */
export function boundOf(selector: Deno.KvListSelector, reverse = false): Deno.KvKey {
  if (reverse && "end" in selector) return selector.end;
  return "start" in selector ? selector.start : selector.prefix;
}

/** The part of Deno KV that stores are made of. Reads: `store_corrupt`, `storage_failed`. */
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

  /** Its commit rejects as Deno KV's does: what became of it is not known (`gateway/settle.ts`). */
  atomic(): Deno.AtomicOperation {
    return this.#kv.atomic();
  }

  close(): void {
    this.#kv.close();
  }
}

/**
 * Opens the database at `path`, or makes it for its owner alone. `store_corrupt` when it is damaged,
 * `file_failed` when the path holds and takes no database.
 */
export async function openStoreKv(path: string): Promise<StoreKv> {
  try {
    if (path !== ":memory:") {
      await makePrivateFile(path);
      probeDatabase(path);
    }
    return new StoreKv(await Deno.openKv(path));
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    const found = plainReason(reasonOf(cause));
    // A folder that is read-only fails here where the lock in it could be opened.
    const hint = /^(read-only|no permission)/.test(found)
      ? `. Make the folder and its files writable, or check them with countersign fsck --data`
      : "";
    throw new CountersignError(
      "file_failed",
      `Cannot open store "${path}": a Deno KV file or a place for one required, ` +
        `found ${found}${hint}`,
      { cause },
    );
  }
}

function refuseRead(cause: unknown, key: Deno.KvKey): never {
  throw storeFault("read", cause, key);
}
