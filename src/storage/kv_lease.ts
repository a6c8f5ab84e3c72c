/**
 * {@linkcode LeaseStore} on an engine without a clock, in two records:
 *
 *     ["holder"]    the process that took the lease last, with its number
 *     ["renewed"]   written anew by each renewal; absent after the holder has given the lease back
 *
 * A lease has ended when another process has seen no renewal for {@linkcode LEASE_MS} by its own clock. The
 * holder counts from before its request, so it stops first.
 *
 * @module
 */

import {
  LEASE_MS,
  type LeaseHolder,
  type LeaseStore,
  type TakenLease,
} from "../gateway/held_lease.ts";
import type { StoreCommit, StoreEngine } from "./store_engine.ts";
import { storeFault } from "./store_fault.ts";

const HOLDER: Deno.KvKey = ["holder"];
const RENEWED: Deno.KvKey = ["renewed"];

/** The engine does not show whether a copy has replaced its database. */
const TIMELINE = "";

interface StoredHolder extends LeaseHolder {
  /** Random; of the process. */
  readonly id: string;
  readonly epoch: number;
}

export class KvLease implements LeaseStore {
  readonly #kv: StoreEngine;
  readonly #elapsedMs: () => number;
  readonly #id = crypto.randomUUID();
  /** Versionstamp of the record of this process's lease. */
  #versionstamp: string | null = null;
  /** The last renewal that this process saw, and when it first did. */
  #seen: { readonly renewal: string; readonly sinceMs: number } | undefined;

  /** The records are in `kv`, which has no others. `elapsedMs` never goes back. */
  constructor(kv: StoreEngine, elapsedMs: () => number) {
    this.#kv = kv;
    this.#elapsedMs = elapsedMs;
  }

  async reach(): Promise<void> {
    await this.#kv.get(HOLDER);
  }

  async take(holder: LeaseHolder): Promise<TakenLease> {
    const [current, renewed] = await Promise.all([
      this.#kv.get<StoredHolder>(HOLDER),
      this.#kv.get(RENEWED),
    ]);
    const renewal = `${current.versionstamp} ${renewed.versionstamp}`;
    const nowMs = this.#elapsedMs();
    if (this.#seen?.renewal !== renewal) this.#seen = { renewal, sinceMs: nowMs };
    const hasEnded = renewed.value === null || nowMs - this.#seen.sinceMs >= LEASE_MS;
    // Its own lease is one whose answer was lost.
    if (!hasEnded && current.value?.id !== this.#id) return heldBy(current.value);
    const epoch = (current.value?.epoch ?? 0) + 1;
    const taken: StoredHolder = { ...holder, id: this.#id, epoch };
    await this.#commit(
      this.#kv.atomic().check(current).check(renewed).set(HOLDER, taken).set(RENEWED, epoch),
    );
    // A commit whose answer was lost is in conflict with itself.
    const { value, versionstamp } = await this.#kv.get<StoredHolder>(HOLDER);
    if (value?.id !== this.#id || value.epoch !== epoch) return heldBy(value);
    this.#versionstamp = versionstamp;
    return { epoch, timeline: TIMELINE };
  }

  async renew(epoch: number): Promise<boolean> {
    return await this.#commit(this.guard(this.#kv.atomic()).set(RENEWED, epoch));
  }

  async release(): Promise<void> {
    await this.#commit(this.guard(this.#kv.atomic()).delete(RENEWED));
  }

  /** If this process took the lease, adds to `commit` the check that no other one has taken it since. */
  guard(commit: StoreCommit): StoreCommit {
    const versionstamp = this.#versionstamp;
    return versionstamp === null ? commit : commit.check({ key: HOLDER, versionstamp });
  }

  async #commit(commit: StoreCommit): Promise<boolean> {
    try {
      return (await commit.commit()).ok;
    } catch (cause) {
      throw storeFault("write", cause);
    }
  }
}

function heldBy(stored: StoredHolder | null): TakenLease {
  const { name, url } = stored ?? { name: "another one" };
  return { heldBy: { name, ...(url !== undefined && { url }) }, timeline: TIMELINE };
}
