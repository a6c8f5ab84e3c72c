/**
 * Requests to a gateway that may be away. While it is, one request is repeated and all others wait for
 * its answer, so that the page has one outage to show, and does not add to the load of a gateway that
 * refuses for it.
 *
 * @module
 */

import { Backoff } from "../base/backoff.ts";
import { isTemporary } from "../client/gateway_connection.ts";
import { isIssuerAway, IssuerRefusal } from "../client/issuer_client.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import { Store } from "./store.ts";

const PAUSES = { firstMs: 1_000, longestMs: 15_000 };
/** Timers do not reach further. */
const LONGEST_MS = 86_400_000;

export interface LineOptions {
  /** Resolves after `ms`, or sooner when there may be news or `signal` aborts; never rejects. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Resolves after `ms`. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

/** The state is the last error while the gateway does not answer, and `undefined` otherwise. */
export class GatewayLine extends Store<unknown> {
  readonly #options: LineOptions;
  /** Resolves when another request may go out. */
  #outage: Promise<void> | undefined;
  /** Requests without a result. */
  #open = 0;

  constructor(options: LineOptions) {
    super(undefined);
    this.#options = options;
  }

  /**
   * The result of `attempt`, once the gateway answers. Rejects with any other error. A request that
   * `signal` aborts leaves its turn to the next one.
   */
  async ask<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#open++;
    try {
      const value = await this.#persist(attempt, signal);
      this.#answered();
      return value;
    } catch (error) {
      if (signal?.aborted !== true) this.#answered();
      throw error;
    } finally {
      if (--this.#open === 0) this.#answered();
    }
  }

  async #persist<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      while (this.#outage !== undefined) await this.#outage;
      try {
        return await attempt();
      } catch (error) {
        if (signal?.aborted || !isAway(error)) throw error;
        if (this.#outage === undefined) return await this.#repeat(attempt, error, signal);
      }
    }
  }

  #answered(): void {
    if (this.#outage === undefined && this.state !== undefined) this.setState(undefined);
  }

  async #repeat<T>(
    attempt: () => Promise<T>,
    first: unknown,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    let end = () => {};
    this.#outage = new Promise((resolve) => end = resolve);
    try {
      const backoff = new Backoff(PAUSES, this.#options.random);
      for (let error = first;;) {
        this.setState(error);
        await this.#pause(error, backoff.afterFailure());
        try {
          return await attempt();
        } catch (next) {
          if (signal?.aborted || !isAway(next)) throw next;
          error = next;
        }
      }
    } finally {
      this.#outage = undefined;
      end();
    }
  }

  /** Nothing shortens a pause that the gateway asks for. */
  #pause(error: unknown, ms: number): Promise<void> {
    const isRefusal = error instanceof GatewayRefusal || error instanceof IssuerRefusal;
    const retryAfter = isRefusal ? error.retryAfter : undefined;
    if (retryAfter === undefined) return this.#options.wait(ms);
    return this.#options.sleep(Math.min(Math.max(ms, retryAfter * 1000), LONGEST_MS));
  }
}

/** Also where the gateway answers, and the issuer of the tokens that it requires does not. */
function isAway(error: unknown): boolean {
  return isTemporary(error) || isIssuerAway(error);
}
