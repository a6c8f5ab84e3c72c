/**
 * `anchors.kv`: cross-anchors, external anchors, peers' heads and contradictions, in a Deno KV file of
 * their own. The process lock of the log's store protects it, so no commit needs a fence.
 *
 *     ["meta"]                                  format version, digest of the network
 *     ["ca", peer, size]                        cross-anchor of our head of `size` by `peer`
 *     ["ea", service, "pending", size]          external anchor whose proof is not complete
 *     ["ea", service, "confirmed", size]        external anchor
 *     ["seen", origin]                          last accepted head of a peer
 *     ["contra", n]                             contradiction, in order of detection
 *     ["pair", origin, size, root, size, root]  n of the contradiction of these two heads
 *     ["al", n]                                 anchor of either kind, in the order added
 *
 * @module
 */

import { type Clock, systemClock } from "../../clock.ts";
import { CountersignError, hasCode } from "../../errors.ts";
import { checkMeta, type Meta } from "../log/kv_log_store.ts";
import { plainReason, reasonOf, storeFault } from "../store_fault.ts";
import { openStoreKv, type StoreKv } from "../store_kv.ts";

/** Bumped when a released version could misread what this one writes. */
export const ANCHORS_FORMAT_VERSION = 1;

/**
 * Deno KV limits a serialised value to 65,536 bytes. Larger records are rejected, not split: the limit
 * is twenty times the usual proof, or a set of more than 200 signatures.
 */
const MAX_VALUE_BYTES = 60_000;

const MAX_ATTEMPTS = 6;
const FIRST_DELAY_MS = 20;

export const anchorKeys = {
  meta: (): Deno.KvKey => ["meta"],
  crossAnchor: (peer: string, size: number): Deno.KvKey => ["ca", peer, size],
  crossAnchors: (peer: string): Deno.KvKey => ["ca", peer],
  allCrossAnchors: (): Deno.KvKey => ["ca"],
  anchor: (service: string, status: string, size: number): Deno.KvKey => [
    "ea",
    service,
    status,
    size,
  ],
  anchors: (service: string, status: string): Deno.KvKey => ["ea", service, status],
  allAnchors: (): Deno.KvKey => ["ea"],
  seen: (origin: string): Deno.KvKey => ["seen", origin],
  allSeen: (): Deno.KvKey => ["seen"],
  listedAt: (index: number): Deno.KvKey => ["al", index],
  listed: (): Deno.KvKey => ["al"],
  contradiction: (number: number): Deno.KvKey => ["contra", number],
  contradictions: (): Deno.KvKey => ["contra"],
  pair: (origin: string, heads: readonly (number | string)[]): Deno.KvKey => [
    "pair",
    origin,
    ...heads,
  ],
} as const;

/** The methods of a handle that the database uses. */
export type AnchorKv = Pick<StoreKv, "get" | "list" | "atomic" | "close">;

/** An open database. Commits are retried until their outcome is known. */
export class AnchorDatabase {
  readonly #kv: AnchorKv;
  readonly #clock: Clock;

  constructor(kv: AnchorKv, clock: Clock) {
    this.#kv = kv;
    this.#clock = clock;
  }

  /** The bytes under `key`; `store_corrupt` for any other value. */
  async get(key: Deno.KvKey): Promise<Uint8Array | undefined> {
    const { value } = await this.#kv.get<unknown>(key);
    return value === null ? undefined : bytesAt(key, value);
  }

  async *list(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): AsyncGenerator<{ readonly key: Deno.KvKey; readonly value: Uint8Array }> {
    for await (const { key, value } of this.#kv.list<unknown>(selector, options)) {
      yield { key, value: bytesAt(key, value) };
    }
  }

  /**
   * Commits the operation that `build` fills; false when one of its checks failed. A rejected commit
   * has an unknown outcome and is retried: it sets the same values under the same keys, so that a second
   * commit is harmless. If the commit checks a key that it sets itself, a retry after a stored commit
   * returns false. `storage_failed` when no attempt succeeds or a value is too large.
   */
  async commit(
    what: string,
    build: (operation: AnchorOperation) => void,
  ): Promise<boolean> {
    let cause: unknown;
    for (
      let attempt = 0, delayMs = FIRST_DELAY_MS;
      attempt < MAX_ATTEMPTS;
      attempt++, delayMs *= 2
    ) {
      const operation = new AnchorOperation(this.#kv.atomic(), what);
      build(operation);
      try {
        return await operation.commit();
      } catch (error) {
        cause = error;
      }
      await this.#clock.sleep(delayMs);
    }
    const fault = storeFault("write", cause);
    if (hasCode(fault, "store_corrupt")) throw fault;
    throw new CountersignError(
      "storage_failed",
      `Cannot store ${what} after ${MAX_ATTEMPTS} attempts: ${plainReason(reasonOf(cause))}`,
      { cause },
    );
  }

  close(): void {
    this.#kv.close();
  }
}

/** Only check, set and delete: with other mutations, a commit that throws can be partly stored. */
export class AnchorOperation {
  readonly #operation: Deno.AtomicOperation;
  readonly #what: string;

  constructor(operation: Deno.AtomicOperation, what: string) {
    this.#operation = operation;
    this.#what = what;
  }

  /** Checks that there is no value under `key`. */
  checkAbsent(key: Deno.KvKey): this {
    this.#operation.check({ key, versionstamp: null });
    return this;
  }

  /** `storage_failed` when `value` is too large. */
  set(key: Deno.KvKey, value: Uint8Array): this {
    if (value.length > MAX_VALUE_BYTES) {
      throw new CountersignError(
        "storage_failed",
        `Cannot store ${this.#what}: its ${value.length} bytes exceed ${MAX_VALUE_BYTES}`,
      );
    }
    this.#operation.set(key, value);
    return this;
  }

  delete(key: Deno.KvKey): this {
    this.#operation.delete(key);
    return this;
  }

  async commit(): Promise<boolean> {
    return (await this.#operation.commit()).ok;
  }
}

/**
 * Opens the database at `path`, or creates it. Rejects with `network_changed` for a database of another
 * network (`networkDigest`), `format_unsupported` for a newer format, `store_corrupt` for a damaged
 * file, and `file_failed` when the path has no database and none can be created.
 */
export async function openAnchorDatabase(
  path: string,
  networkDigest: string,
  clock: Clock = systemClock,
): Promise<AnchorDatabase> {
  const kv = await openStoreKv(path);
  try {
    checkMeta(await readOrCreateMeta(kv, networkDigest), networkDigest, ANCHORS_FORMAT_VERSION);
    return new AnchorDatabase(kv, clock);
  } catch (error) {
    kv.close();
    throw error;
  }
}

type AnchorMeta = Pick<Meta, "format_version" | "network">;

async function readOrCreateMeta(kv: StoreKv, network: string): Promise<AnchorMeta> {
  const entry = await kv.get<AnchorMeta>(anchorKeys.meta());
  if (entry.value !== null) return entry.value;
  const meta: AnchorMeta = { format_version: ANCHORS_FORMAT_VERSION, network };
  try {
    await kv.atomic().check(entry).set(anchorKeys.meta(), meta).commit();
  } catch (cause) {
    throw storeFault("write", cause);
  }
  return meta;
}

function bytesAt(key: Deno.KvKey, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new CountersignError(
    "store_corrupt",
    `Cannot read ${JSON.stringify(key)} of the anchors' store: the value is not bytes`,
  );
}
