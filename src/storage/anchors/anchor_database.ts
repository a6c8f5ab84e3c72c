/**
 * Cross-anchors, external anchors, peers' heads and contradictions. On Deno KV they have a file of their
 * own, `anchors.kv`; the lock of the data folder protects it, so its commits need no fence.
 *
 *     ["meta"]                                  format version, digest of the network
 *     ["ca", peer, size]                        cross-anchor of our head of `size` by `peer`
 *     ["ea", service, "pending", size]          external anchor whose proof is not complete
 *     ["ea", service, "confirmed", size]        external anchor
 *     ["fw", "quorum", size]                    cosignatures of foreign witnesses that meet the quorum
 *     ["fw", "partial", size]                   cosignatures that do not
 *     ["peer", peer, epoch]                     link with which an epoch of a peer ended
 *     ["seen", origin]                          last accepted head of a peer
 *     ["contra", n]                             contradiction, in order of detection
 *     ["pair", origin, size, root, size, root]  n of the contradiction of these two heads
 *     ["pair", origin, epoch]                   n of two successions of this epoch
 *     ["al", n]                                 anchor of either kind, in the order added
 *
 * @module
 */

import { type Clock, systemClock } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import { type Decoder, NumberedRecords } from "../numbered_records.ts";
import { plainReason, reasonOf, storeFault } from "../store_fault.ts";
import {
  absent as absentAt,
  bytesAt,
  fenceLost,
  type StoreCommit,
  type StoreEngine,
  type StoreReads,
} from "../store_engine.ts";
import { openStoreKv } from "../store_kv.ts";
import { checkMeta, FORMAT_VERSION, META_KEY, openMeta } from "../store_meta.ts";

/**
 * Deno KV limits a serialised value to 65,536 bytes. Larger records are rejected, not split: the limit
 * is twenty times the usual proof, or a set of more than 200 signatures.
 */
const MAX_VALUE_BYTES = 60_000;

const MAX_ATTEMPTS = 6;
const FIRST_DELAY_MS = 20;

export const anchorKeys = {
  meta: (): Deno.KvKey => META_KEY,
  crossAnchor: (peer: string, size: number): Deno.KvKey => ["ca", peer, size],
  crossAnchors: (peer: string): Deno.KvKey => ["ca", peer],
  anchor: (service: string, status: string, size: number): Deno.KvKey => [
    "ea",
    service,
    status,
    size,
  ],
  anchors: (service: string, status: string): Deno.KvKey => ["ea", service, status],
  witnessed: (meetsQuorum: boolean): Deno.KvKey => ["fw", meetsQuorum ? "quorum" : "partial"],
  witnessedAt: (meetsQuorum: boolean, size: number): Deno.KvKey => [
    "fw",
    meetsQuorum ? "quorum" : "partial",
    size,
  ],
  peerLink: (peer: string, epoch: number): Deno.KvKey => ["peer", peer, epoch],
  peerLinks: (peer: string): Deno.KvKey => ["peer", peer],
  seen: (origin: string): Deno.KvKey => ["seen", origin],
  listedAt: (index: number): Deno.KvKey => ["al", index],
  listed: (): Deno.KvKey => ["al"],
  contradiction: (number: number): Deno.KvKey => ["contra", number],
  contradictions: (): Deno.KvKey => ["contra"],
  pair: (origin: string, pair: readonly (number | string)[]): Deno.KvKey => [
    "pair",
    origin,
    ...pair,
  ],
} as const;

export class AnchorValues {
  readonly #reads: Pick<StoreReads, "get" | "list">;

  constructor(reads: Pick<StoreReads, "get" | "list">) {
    this.#reads = reads;
  }

  /** The bytes under `key`; `store_corrupt` for any other value. */
  async get(key: Deno.KvKey): Promise<Uint8Array | undefined> {
    const { value } = await this.#reads.get<unknown>(key);
    return value === null ? undefined : bytesAt(key, value);
  }

  records<T>(prefix: Deno.KvKey, decode: Decoder<T>): NumberedRecords<T> {
    return new NumberedRecords(this.#reads, prefix, decode);
  }
}

/** The methods of a handle that the database uses. */
export type AnchorKv = Pick<StoreEngine, "get" | "list" | "atomic" | "close">;

/** An open database. Commits are retried until their outcome is known. */
export class AnchorDatabase extends AnchorValues {
  readonly #kv: AnchorKv;
  readonly #clock: Clock;

  constructor(kv: AnchorKv, clock: Clock) {
    super(kv);
    this.#kv = kv;
    this.#clock = clock;
  }

  /**
   * Commits `change`; false when a key of `absent` has a value. A rejected commit has an unknown
   * outcome and is retried: it sets the same values under the same keys, so that a second commit is
   * harmless. If `absent` is also set, a retry after a stored commit returns false. `storage_failed` when
   * no attempt succeeds or a value is too large; `fence_lost` when the engine's own check failed.
   */
  async commit(what: string, change: AnchorChange): Promise<boolean> {
    const large = change.set.find(([, value]) => value.length > MAX_VALUE_BYTES);
    if (large !== undefined) {
      throw new CountersignError(
        "storage_failed",
        `Cannot store ${what}: its ${large[1].length} bytes exceed ${MAX_VALUE_BYTES}`,
      );
    }
    if ((await this.#attempt(what, change)).ok) return true;
    for (const key of change.absent ?? []) if (await this.get(key) !== undefined) return false;
    throw fenceLost();
  }

  close(): void {
    this.#kv.close();
  }

  /** Repeats the commit until its outcome is known. */
  async #attempt(what: string, change: AnchorChange): Promise<{ readonly ok: boolean }> {
    let cause: unknown;
    for (
      let attempt = 0, delayMs = FIRST_DELAY_MS;
      attempt < MAX_ATTEMPTS;
      attempt++, delayMs *= 2
    ) {
      try {
        return await operationOf(this.#kv.atomic(), change).commit();
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
}

/** One commit. */
export interface AnchorChange {
  /** Must have no values. */
  readonly absent?: readonly Deno.KvKey[];
  readonly set: readonly (readonly [key: Deno.KvKey, value: Uint8Array])[];
  /** Before `set`. */
  readonly remove?: readonly Deno.KvKey[];
}

function operationOf(operation: StoreCommit, { absent, set, remove }: AnchorChange): StoreCommit {
  for (const key of absent ?? []) operation.check(absentAt(key));
  for (const key of remove ?? []) operation.delete(key);
  for (const [key, value] of set) operation.set(key, value);
  return operation;
}

/**
 * Opens the database at `path`, or creates it. Rejects with `network_changed` for a database of another
 * network (`networkDigest`), `format_unsupported` for a newer format, `store_corrupt` for a damaged
 * file, and `file_failed` when the path has no database and none can be created.
 */
export async function openAnchorDatabase(
  path: string,
  networkDigest: string,
): Promise<AnchorDatabase> {
  return await anchorDatabaseOn(await openStoreKv(path), networkDigest, systemClock);
}

/** The database in `kv`, which is created if it is empty. Closes `kv` if it rejects. */
export async function anchorDatabaseOn(
  kv: AnchorKv,
  networkDigest: string,
  clock: Clock,
): Promise<AnchorDatabase> {
  try {
    const created = { format_version: FORMAT_VERSION, network: networkDigest };
    checkMeta(await openMeta(kv, created), networkDigest);
    return new AnchorDatabase(kv, clock);
  } catch (error) {
    kv.close();
    throw error;
  }
}
