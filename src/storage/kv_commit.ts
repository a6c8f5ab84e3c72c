/**
 * One fenced commit on Deno KV. Only check, set and delete: a commit with another mutation that
 * throws can be partly stored.
 *
 * @module
 */

import { systemClock } from "../clock.ts";
import { CountersignError, hasCode } from "../errors.ts";
import type { CommitOutcome } from "../gateway/ports.ts";
import { logKeys } from "./keys.ts";
import { storeFault } from "./store_fault.ts";
import type { StoreKv, StoreReads } from "./store_kv.ts";
import type { StorePlace } from "./store_place.ts";

const FIRST_RETRY_MS = 10;
const LAST_RETRY_MS = 100;

/** The handles of one store: writes queue behind disk syncs, reads on their own handle do not. */
export interface KvHandles {
  readonly writes: StoreKv;
  readonly reads: StoreReads;
}

/** The fence as this process holds it, and the commits under it. */
export class FencedKv {
  readonly handles: KvHandles;
  readonly #place: StorePlace | undefined;
  /** Writes in progress. */
  #unanswered = 0;
  readonly #id = crypto.randomUUID();
  /** Of the fence that this process took; `undefined` before. */
  #versionstamp: string | undefined;
  /** Of the fence as this process first read it; `null` where there was none, `undefined` before. */
  #found: string | null | undefined;

  /** `place` is recorded in the commit that takes the fence. */
  constructor(handles: KvHandles, place?: StorePlace) {
    this.handles = handles;
    this.#place = place;
  }

  /**
   * Closes the handles. A handle with an unanswered write stays open: closing would block this thread
   * until the write is answered, and the end of the process closes it as well.
   */
  close(): void {
    const { reads, writes } = this.handles;
    if (reads !== writes) reads.close();
    if (this.#unanswered === 0) writes.close();
  }

  get reads(): StoreReads {
    return this.handles.reads;
  }

  /**
   * From here on commits under any earlier versionstamp of the fence fail. `store_corrupt` when it
   * cannot be read, `storage_failed` when it cannot be written: a handle that was just opened keeps
   * the file locked for some milliseconds, so a refused write is repeated for 0.3 s.
   */
  async takeFence(): Promise<void> {
    for (let delayMs = FIRST_RETRY_MS;; delayMs *= 2) {
      try {
        return await this.#answered(this.#tryTakeFence());
      } catch (cause) {
        if (hasCode(cause, "fence_lost") || hasCode(cause, "store_corrupt")) throw cause;
        if (delayMs > LAST_RETRY_MS) throw storeFault("write", cause);
      }
      await systemClock.sleep(delayMs);
    }
  }

  async #answered<T>(write: Promise<T>): Promise<T> {
    this.#unanswered++;
    try {
      return await write;
    } finally {
      this.#unanswered--;
    }
  }

  async #tryTakeFence(): Promise<void> {
    const { writes } = this.handles;
    const current = await writes.get(logKeys.fence());
    if (this.#found === undefined) this.#found = current.versionstamp;
    const take = writes.atomic().check(current).set(logKeys.fence(), this.#id);
    if (this.#place !== undefined) take.set(logKeys.place(), this.#place);
    const taken = await take.commit();
    if (!taken.ok) throw fenceLost();
    this.#versionstamp = taken.versionstamp;
  }

  /** Commits `build`'s operation with the fence checked; `fence_lost` when another holds it. */
  async commit(
    build: (operation: Deno.AtomicOperation) => Deno.AtomicOperation,
  ): Promise<CommitOutcome> {
    if (this.#versionstamp === undefined) throw fenceLost();
    const key = logKeys.fence();
    const operation = this.handles.writes.atomic().check({
      key,
      versionstamp: this.#versionstamp,
    });
    const result = await this.#answered(build(operation).commit()).catch((cause) => {
      throw storeFault("write", cause);
    });
    if (result.ok) return "stored";
    await this.checkFence();
    return "conflict";
  }

  /**
   * `fence_lost` when another process has taken the fence since this one took it, or since it first
   * tried to.
   */
  async checkFence(): Promise<void> {
    const expected = this.#versionstamp ?? this.#found;
    if (expected === undefined) return;
    const { value, versionstamp } = await this.handles.writes.get(logKeys.fence());
    // Our own id: a commit of it was stored and reported as failed.
    if (versionstamp !== expected && value !== this.#id) throw fenceLost();
  }
}

/** The check that nothing stands under `key`. */
export function absent(key: Deno.KvKey): Deno.AtomicCheck {
  return { key, versionstamp: null };
}

function fenceLost(): CountersignError {
  return new CountersignError(
    "fence_lost",
    "Cannot write to the store: the fence of this process required, found that of another",
  );
}
