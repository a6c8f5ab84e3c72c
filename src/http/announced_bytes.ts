/**
 * Bytes that bodies announce while they are read, for one client and for all together. They count
 * before the first byte is read: memory follows what clients announce, not what has arrived.
 *
 * @module
 */

import { RateLimited } from "../admission/rate_limited.ts";
import type { ClientKey } from "../admission/token_buckets.ts";
import { CountersignError } from "../errors.ts";

const BUDGET = "body_bytes";
/** A body that keeps to the bounds of time ends soon, and makes room. */
const RETRY_AFTER_SECONDS = 1;

/** Bounds of {@linkcode AnnouncedBytes}. */
export interface AnnouncedBounds {
  /** Bytes that all unfinished bodies may announce together. */
  readonly bytesOfAll: number;
  /** Of one client. */
  readonly bytesOfOne: number;
}

/** Counts the bytes that unfinished bodies announce. */
export class AnnouncedBytes {
  readonly #bounds: AnnouncedBounds;
  /** Only clients with unfinished bodies. */
  readonly #byClient = new Map<string, number>();
  #all = 0;

  constructor(bounds: AnnouncedBounds) {
    this.#bounds = bounds;
  }

  /** Bytes that are counted now. */
  get all(): number {
    return this.#all;
  }

  /**
   * Counts `bytes` of `client` until the returned function is called, once. `rate_limited` when the
   * client announces too much, `overloaded` when all together do. Without `client`, only the bound
   * of all applies.
   */
  reserve(bytes: number, client?: ClientKey): () => void {
    const { bytesOfAll } = this.#bounds;
    if (this.#all + bytes > bytesOfAll) {
      throw new CountersignError(
        "overloaded",
        `Cannot read body: unfinished bodies already announce ${this.#all} of ${bytesOfAll} ` +
          "bytes; retry in a second",
      );
    }
    const release = client && this.#reserveOf(`${client.high}:${client.low}`, bytes);
    this.#all += bytes;
    return () => {
      this.#all -= bytes;
      release?.();
    };
  }

  #reserveOf(name: string, bytes: number): () => void {
    const quota = this.#bounds.bytesOfOne;
    const used = this.#byClient.get(name) ?? 0;
    if (used + bytes > quota) {
      throw new RateLimited(
        `Cannot read body: your unfinished bodies already announce ${used} of ${quota} bytes; ` +
          "finish them first",
        { budget: BUDGET, quota, remaining: quota - used, retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    }
    this.#byClient.set(name, used + bytes);
    return () => {
      const left = this.#byClient.get(name)! - bytes;
      if (left > 0) this.#byClient.set(name, left);
      else this.#byClient.delete(name);
    };
  }
}
