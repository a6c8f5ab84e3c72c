/**
 * {@linkcode StoreFence} on Deno KV: the record of the holder, which every commit checks.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { hasCode } from "../../base/errors.ts";
import { fenceLost, type StoreCommit, type StoreEngine, type StoreFence } from "../store_engine.ts";
import { storeFault } from "../store_fault.ts";
import { logKeys } from "./log_keys.ts";

const FIRST_RETRY_MS = 10;
const LAST_RETRY_MS = 100;

/** The fence as this process holds it. */
export class KvFence implements StoreFence {
  readonly #kv: StoreEngine;
  readonly #onTake: (commit: StoreCommit) => unknown;
  readonly #id = crypto.randomUUID();
  /** Versionstamp of the fence after this process took it; `undefined` before. */
  #versionstamp: string | undefined;
  /** Of the fence when this process first read it: `null` without a fence, `undefined` before. */
  #found: string | null | undefined;

  /** `onTake` adds to the commit that takes the fence. */
  constructor(kv: StoreEngine, onTake: (commit: StoreCommit) => unknown = () => {}) {
    this.#kv = kv;
    this.#onTake = onTake;
  }

  /** A newly opened handle keeps the file locked for some milliseconds: writes are retried for 0.3 s. */
  async take(): Promise<void> {
    for (let delayMs = FIRST_RETRY_MS;; delayMs *= 2) {
      try {
        return await this.#tryTake();
      } catch (cause) {
        if (hasCode(cause, "fence_lost") || hasCode(cause, "store_corrupt")) throw cause;
        if (delayMs > LAST_RETRY_MS) throw storeFault("write", cause);
      }
      await systemClock.sleep(delayMs);
    }
  }

  async check(): Promise<void> {
    const expected = this.#versionstamp ?? this.#found;
    if (expected === undefined) return;
    const { value, versionstamp } = await this.#kv.get(logKeys.fence());
    // With our own id, a commit was stored although it was reported as failed.
    if (versionstamp !== expected && value !== this.#id) throw fenceLost();
  }

  guard(commit: StoreCommit): StoreCommit {
    if (this.#versionstamp === undefined) throw fenceLost();
    return commit.check({ key: logKeys.fence(), versionstamp: this.#versionstamp });
  }

  async #tryTake(): Promise<void> {
    const current = await this.#kv.get(logKeys.fence());
    if (this.#found === undefined) this.#found = current.versionstamp;
    // Commits in flight keep the fence that they check.
    if (this.#versionstamp !== undefined && current.versionstamp === this.#versionstamp) return;
    const take = this.#kv.atomic().check(current).set(logKeys.fence(), this.#id);
    this.#onTake(take);
    await take.commit();
    // Another process may have taken it, before or after.
    const { value, versionstamp } = await this.#kv.get(logKeys.fence());
    if (value !== this.#id || versionstamp === null) throw fenceLost();
    this.#versionstamp = versionstamp;
  }
}
