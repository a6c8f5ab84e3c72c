/**
 * Delays refusals with one timer, so that clients that retry at once do not slow down accepted
 * requests. The more refusals to a client are waiting, the longer the next one waits.
 *
 * @module
 */

import { ClientHoldings } from "../admission/client_holdings.ts";
import type { ClientKey } from "../admission/token_buckets.ts";
import { REFUSAL_DELAY_MOST_MS, REFUSAL_DELAY_MS, REFUSALS_PER_DELAY } from "./limits.ts";

/** Ticks of the timer in {@linkcode RefusalDelayOptions.ms}. */
const TICKS_PER_DELAY = 2;

export interface RefusalDelayOptions {
  /** Milliseconds that a refusal is held: at least half of them. */
  readonly ms?: number;
  /** The most that it is held when its client has many. */
  readonly mostMs?: number;
  /** Refusals of a client that are held for each `ms`. */
  readonly perDelay?: number;
}

/** See the module. */
export class RefusalDelay {
  readonly #tickMs: number;
  readonly #mostDelays: number;
  readonly #perDelay: number;
  readonly #held = new ClientHoldings();
  /** Those that leave with the next tick, the one after it, and so on. */
  readonly #leaving: (() => void)[][] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    {
      ms = REFUSAL_DELAY_MS,
      mostMs = REFUSAL_DELAY_MOST_MS,
      perDelay = REFUSALS_PER_DELAY,
    }: RefusalDelayOptions = {},
  ) {
    this.#tickMs = ms / TICKS_PER_DELAY;
    this.#mostDelays = Math.ceil(mostMs / ms);
    this.#perDelay = perDelay;
  }

  /**
   * Resolves when a refusal to `client` may be sent; without `client`, after the shortest delay.
   */
  async wait(client: ClientKey | undefined): Promise<void> {
    if (client === undefined) return await this.#holdFor(1);
    const release = this.#held.add(client, 1);
    const delays = Math.ceil(this.#held.of(client) / this.#perDelay);
    await this.#holdFor(Math.min(delays, this.#mostDelays));
    release();
  }

  #holdFor(delays: number): Promise<void> {
    return new Promise((resolve) => {
      const ticks = delays * TICKS_PER_DELAY;
      while (this.#leaving.length < ticks) this.#leaving.push([]);
      this.#leaving[ticks - 1]!.push(resolve);
      this.#timer ??= setInterval(() => this.#tick(), this.#tickMs);
    });
  }

  #tick(): void {
    for (const resolve of this.#leaving.shift() ?? []) resolve();
    if (this.#leaving.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
