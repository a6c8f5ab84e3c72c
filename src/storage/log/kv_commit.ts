/**
 * Fenced commits on Deno KV. They use only check, set and delete: with other mutations, a commit that
 * throws can be partly stored.
 *
 * @module
 */

import { systemClock } from "../../clock.ts";
import { CountersignError, hasCode } from "../../errors.ts";
import type { CommitOutcome } from "../../gateway/ports.ts";
import { logKeys } from "./log_keys.ts";
import { storeFault } from "../store_fault.ts";
import type { StoreKv, StoreReads } from "../store_kv.ts";
import type { StoreLocation } from "./store_location.ts";

const FIRST_RETRY_MS = 10;
const LAST_RETRY_MS = 100;

/** The handles of one store. Writes wait for disk syncs; reads on another handle do not. */
export interface KvHandles {
  readonly writes: StoreKv;
  readonly reads: StoreReads;
}

/** The fence as this process holds it, and the commits under it. */
export class FencedKv {
  readonly handles: KvHandles;
  readonly #location: StoreLocation | undefined;
  #pendingWrites = 0;
  readonly #id = crypto.randomUUID();
  /** Of the fence after this process took it; `undefined` before. */
  #versionstamp: string | undefined;
  /** Of the fence when this process first read it: `null` without a fence, `undefined` before. */
  #found: string | null | undefined;

  /** `location` is stored in the commit that takes the fence. */
  constructor(handles: KvHandles, location?: StoreLocation) {
    this.handles = handles;
    this.#location = location;
  }

  /**
   * Closes the handles. With a write in progress the handle stays open until the process ends: closing
   * it would block this thread until the write has finished.
   */
  close(): void {
    const { reads, writes } = this.handles;
    if (reads !== writes) reads.close();
    if (this.#pendingWrites === 0) writes.close();
  }

  get reads(): StoreReads {
    return this.handles.reads;
  }

  /**
   * Takes the fence: commits under an earlier versionstamp then fail. `store_corrupt` when it cannot be
   * read, `storage_failed` when it cannot be written. A newly opened handle keeps the file locked for
   * some milliseconds, so writes are retried for 0.3 s.
   */
  async takeFence(): Promise<void> {
    for (let delayMs = FIRST_RETRY_MS;; delayMs *= 2) {
      try {
        return await this.#counted(this.#tryTakeFence());
      } catch (cause) {
        if (hasCode(cause, "fence_lost") || hasCode(cause, "store_corrupt")) throw cause;
        if (delayMs > LAST_RETRY_MS) throw storeFault("write", cause);
      }
      await systemClock.sleep(delayMs);
    }
  }

  async #counted<T>(write: Promise<T>): Promise<T> {
    this.#pendingWrites++;
    try {
      return await write;
    } finally {
      this.#pendingWrites--;
    }
  }

  async #tryTakeFence(): Promise<void> {
    const { writes } = this.handles;
    const current = await writes.get(logKeys.fence());
    if (this.#found === undefined) this.#found = current.versionstamp;
    const take = writes.atomic().check(current).set(logKeys.fence(), this.#id);
    if (this.#location !== undefined) take.set(logKeys.location(), this.#location);
    const taken = await take.commit();
    if (!taken.ok) throw fenceLost();
    this.#versionstamp = taken.versionstamp;
  }

  /** Commits the operation of `build` with a check of the fence; `fence_lost` when another holds it. */
  async commit(
    build: (operation: Deno.AtomicOperation) => Deno.AtomicOperation,
  ): Promise<CommitOutcome> {
    if (this.#versionstamp === undefined) throw fenceLost();
    const key = logKeys.fence();
    const operation = this.handles.writes.atomic().check({
      key,
      versionstamp: this.#versionstamp,
    });
    const result = await this.#counted(build(operation).commit()).catch((cause) => {
      throw storeFault("write", cause);
    });
    if (result.ok) return "stored";
    await this.checkFence();
    return "conflict";
  }

  /**
   * `fence_lost` when another process took the fence after this one took it or first tried to.
   */
  async checkFence(): Promise<void> {
    const expected = this.#versionstamp ?? this.#found;
    if (expected === undefined) return;
    const { value, versionstamp } = await this.handles.writes.get(logKeys.fence());
    // With our own id, a commit was stored although it was reported as failed.
    if (versionstamp !== expected && value !== this.#id) throw fenceLost();
  }
}

/** A check that there is no value under `key`. */
export function absent(key: Deno.KvKey): Deno.AtomicCheck {
  return { key, versionstamp: null };
}

function fenceLost(): CountersignError {
  return new CountersignError(
    "fence_lost",
    "Cannot write to the store: another process has taken it over",
  );
}
