/**
 * {@linkcode StoreEngine} on Deno KV.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import { prepareDatabase } from "./database_probe.ts";
import type { StoreEngine } from "./store_engine.ts";
import { boundOf } from "./store_fault.ts";
import { plainReason, reasonOf, storeFault } from "./store_fault.ts";

/** An open database. */
export class StoreKv implements StoreEngine {
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
