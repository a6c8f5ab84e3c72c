/**
 * Reads of records that are written once, from a replica of a store. What the replica lacks is read from the
 * store itself. So are lists: a replica that is behind would end them too early.
 *
 * @module
 */

import type { StoreEntry, StoreReads } from "./store_engine.ts";

/** See the module. Closes neither. */
export class ReplicaReads implements StoreReads {
  readonly #replica: StoreReads;
  readonly #primary: StoreReads;
  /** Records that the replica lacked, or could not give. */
  missed = 0;

  constructor(replica: StoreReads, primary: StoreReads) {
    this.#replica = replica;
    this.#primary = primary;
  }

  async get<T>(key: Deno.KvKey): Promise<{ readonly value: T | null }> {
    try {
      const found = await this.#replica.get<T>(key);
      if (found.value !== null) return found;
    } catch {
      // The primary may answer.
    }
    this.missed++;
    return await this.#primary.get<T>(key);
  }

  list<T>(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): AsyncIterable<StoreEntry<T>> {
    return this.#primary.list<T>(selector, options);
  }

  close(): void {}
}
