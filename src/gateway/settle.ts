/**
 * Commits whose outcome may be unknown. A rejected commit may or may not be stored; its write-once key
 * tells. While the store rejects writes, the same bytes are retried.
 *
 * @module
 */

import { aborted, type Clock, SLEEP_OVER } from "../base/clock.ts";
import { hasCode } from "../base/errors.ts";
import { StoreOutage } from "../base/store_outage.ts";
import type { CommitOutcome } from "./ports.ts";

/** How long one commit is tried before the store counts as failing. */
export const TRY_FOR_MS = 5_000;
const FIRST_DELAY_MS = 20;
const MAX_DELAY_MS = 500;

/** A commit, and how to find out what is stored under its keys. */
export interface SettledCommit {
  readonly what: string;
  readonly commit: () => Promise<CommitOutcome>;
  /** `ours` when this very commit is stored, `absent` when nothing is, `other` when another is. */
  readonly inspect: () => Promise<"ours" | "absent" | "other">;
}

/** Settles the commits of one store, and knows whether the store accepts writes. */
export class StoreWrites {
  readonly clock: Clock;
  readonly #changed: (outage: StoreOutage | undefined) => void;
  readonly #stop = new AbortController();
  /** Commits that have failed for {@linkcode TRY_FOR_MS}. */
  readonly #failing = new Set<SettledCommit>();
  #outage: StoreOutage | undefined;

  /**
   * `changed` is called when writes begin to fail or fail for another reason, and with `undefined` when
   * they succeed again.
   */
  constructor(clock: Clock, changed: (outage: StoreOutage | undefined) => void = () => {}) {
    this.clock = clock;
    this.#changed = changed;
  }

  /** Why the store rejects writes; `undefined` if it does not. */
  get outage(): StoreOutage | undefined {
    return this.#outage;
  }

  /**
   * Runs a commit until its outcome is known: repeats the same bytes while they are absent. Returns
   * `other` when different bytes are stored, which the caller adopts or rejects. Rejects with
   * `fence_lost` and `store_corrupt`, and with `storage_failed` once stopped.
   */
  async settle(attempt: SettledCommit): Promise<"ours" | "other"> {
    const startMs = this.clock.elapsedMs();
    let leftMs = TRY_FOR_MS;
    for (let delayMs = FIRST_DELAY_MS;; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      const tried = await this.#tryInTime(attempt, leftMs);
      if (typeof tried === "string") {
        this.#settled(attempt);
        return tried;
      }
      leftMs = TRY_FOR_MS - (this.clock.elapsedMs() - startMs);
      if (leftMs <= 0) {
        const outage = this.#fail(attempt, tried.cause);
        if (this.#stop.signal.aborted) throw outage;
      }
      // The last try is at the end of the time.
      const sleepMs = leftMs > 0 ? Math.min(delayMs, leftMs) : delayMs;
      await this.clock.sleep(sleepMs, leftMs > 0 ? undefined : this.#stop.signal);
    }
  }

  /** Commits that fail for {@linkcode TRY_FOR_MS} are no longer repeated. */
  stop(): void {
    this.#stop.abort();
  }

  /**
   * One try. The store counts as failing after `leftMs` without an answer: Deno KV never answers
   * while the file system refuses locks; the try goes on until the store answers or is stopped.
   */
  async #tryInTime(attempt: SettledCommit, leftMs: number): Promise<Tried> {
    const answered = new AbortController();
    const trying = tryOnce(attempt).finally(() => answered.abort(SLEEP_OVER));
    const limitMs = leftMs > 0 ? leftMs : TRY_FOR_MS;
    const late = this.clock.sleep(limitMs, answered.signal).then(async () => {
      if (answered.signal.aborted) return await trying;
      const outage = this.#fail(attempt, new Error("the store does not answer"));
      await Promise.race([trying, aborted(this.#stop.signal)]);
      if (answered.signal.aborted) return await trying;
      throw outage;
    });
    return await Promise.race([trying, late]);
  }

  #fail(attempt: SettledCommit, cause: unknown): StoreOutage {
    const reason = cause instanceof Error ? cause.message : "every commit is in conflict";
    const outage = new StoreOutage(`Cannot store ${attempt.what}: ${reason}`, cause);
    this.#failing.add(attempt);
    const isChanged = this.#outage?.message !== outage.message;
    this.#outage = outage;
    if (isChanged) this.#changed(outage);
    return outage;
  }

  /** Not called for a commit that rejects for good: no write has succeeded. */
  #settled(attempt: SettledCommit): void {
    if (!this.#failing.delete(attempt) || this.#failing.size > 0) return;
    this.#outage = undefined;
    this.#changed(undefined);
  }
}

/** The outcome of one try, or why it is not known or not stored. */
type Tried = "ours" | "other" | { readonly cause: unknown };

async function tryOnce(attempt: SettledCommit): Promise<Tried> {
  let cause: unknown;
  try {
    if (await attempt.commit() === "stored") return "ours";
  } catch (error) {
    if (isFinal(error)) throw error;
    cause = error;
  }
  try {
    // A conflict also comes from an earlier try of ours that was stored and reported as failed.
    const found = await attempt.inspect();
    return found === "absent" ? { cause } : found;
  } catch (error) {
    if (isFinal(error)) throw error;
    return { cause: error };
  }
}

/** Another process holds the fence, or the store is damaged: no retry can succeed. */
function isFinal(error: unknown): boolean {
  return hasCode(error, "fence_lost") || hasCode(error, "store_corrupt");
}
