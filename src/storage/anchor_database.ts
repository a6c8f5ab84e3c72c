/**
 * `anchors.kv`, a Deno KV file beside the log's store with what others say of the log: cross-anchors,
 * external anchors, peers' heads and contradictions. It is held under the store's process lock, so no
 * commit needs a fence.
 *
 *     ["meta"]                                  format version, digest of the network
 *     ["ca", peer, size]                        cross-anchor of our head of `size` by `peer`
 *     ["ea", service, "pending", size]          external anchor whose proof is not complete
 *     ["ea", service, "confirmed", size]        external anchor
 *     ["seen", origin]                          head of a peer that was last accepted
 *     ["contra", n]                             contradiction, in the order in which it was found
 *     ["pair", origin, size, root, size, root]  the n of the contradiction of these two heads
 *     ["al", n]                                 anchor of either kind, in the order in which it was added
 *
 * @module
 */

import { type Clock, systemClock } from "../clock.ts";
import { CountersignError, hasCode } from "../errors.ts";
import { checkMeta, type Meta } from "./kv_log_store.ts";
import { plainReason, reasonOf, storeFault } from "./store_fault.ts";
import { openStoreKv, type StoreKv } from "./store_kv.ts";

/** Bumped when a released version could misread what this one writes. */
export const ANCHORS_FORMAT_VERSION = 1;

/**
 * Deno KV takes values of 65,536 bytes with their serialisation. What is larger is refused and not
 * split: it is twenty times the usual proof, or a set of more than 200 signatures.
 */
const MAX_VALUE_BYTES = 60_000;

const MAX_TRIES = 6;
const FIRST_DELAY_MS = 20;

/** Every key of the database, in one place. */
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
  listedAt: (place: number): Deno.KvKey => ["al", place],
  listed: (): Deno.KvKey => ["al"],
  contradiction: (place: number): Deno.KvKey => ["contra", place],
  contradictions: (): Deno.KvKey => ["contra"],
  pair: (origin: string, heads: readonly (number | string)[]): Deno.KvKey => [
    "pair",
    origin,
    ...heads,
  ],
} as const;

/** What the database needs of its handle. */
export type AnchorKv = Pick<StoreKv, "get" | "list" | "atomic" | "close">;

/** One open database: reads, and commits that are repeated until their outcome is known. */
export class AnchorDatabase {
  readonly #kv: AnchorKv;
  readonly #clock: Clock;

  constructor(kv: AnchorKv, clock: Clock) {
    this.#kv = kv;
    this.#clock = clock;
  }

  /** The bytes under `key`; `store_corrupt` when there is something else. */
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
   * Commits what `build` adds; false when one of its checks failed. A commit that rejects has an
   * unknown outcome, and is repeated: each sets what it set before under the same keys, so that
   * doing it twice does no harm. One with a check that guards its own write answers false the second
   * time, and its caller reads. `storage_failed` when no try succeeds, and before the first where a
   * value is too large.
   */
  async commit(
    what: string,
    build: (operation: AnchorOperation) => void,
  ): Promise<boolean> {
    let cause: unknown;
    for (let tries = 0, delayMs = FIRST_DELAY_MS; tries < MAX_TRIES; tries++, delayMs *= 2) {
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
      `Cannot store ${what} after ${MAX_TRIES} tries: ${plainReason(reasonOf(cause))}`,
      { cause },
    );
  }

  close(): void {
    this.#kv.close();
  }
}

/** Only check, set and delete: a commit with another mutation that throws can be partly stored. */
export class AnchorOperation {
  readonly #operation: Deno.AtomicOperation;
  readonly #what: string;

  constructor(operation: Deno.AtomicOperation, what: string) {
    this.#operation = operation;
    this.#what = what;
  }

  /** Nothing stands under `key`. */
  checkAbsent(key: Deno.KvKey): this {
    this.#operation.check({ key, versionstamp: null });
    return this;
  }

  /** `storage_failed` where `value` is too large. */
  set(key: Deno.KvKey, value: Uint8Array): this {
    if (value.length > MAX_VALUE_BYTES) {
      throw new CountersignError(
        "storage_failed",
        `Cannot store ${this.#what}: at most ${MAX_VALUE_BYTES} bytes required, ` +
          `found ${value.length}`,
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
 * Opens the database at `path`, or makes it. One of another network (`networkDigest`) is refused with
 * `network_changed`, one of a newer format with `format_unsupported`, a damaged one with
 * `store_corrupt`, and a path that holds and takes no database with `file_failed`.
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
    `Cannot read ${JSON.stringify(key)} beside the log's store: bytes required, ` +
      "found another value",
  );
}
