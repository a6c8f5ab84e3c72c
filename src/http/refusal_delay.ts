/**
 * Delays refusals for too many requests. A client that gets a refusal at once retries at once and slows
 * down accepted requests.
 *
 * @module
 */

import { type Clock, systemClock } from "../base/clock.ts";
import { hasCode } from "../base/errors.ts";
import { REFUSAL_DELAY_MOST_MS, REFUSAL_DELAY_MS, REFUSALS_PER_DELAY } from "./limits.ts";
import type { ClientKey } from "./limits/client_key.ts";
import { type ClientHoldings, LocalHoldings } from "./limits/holdings.ts";

/** True for refusals that must be delayed. */
export function isBackPressure(error: unknown): boolean {
  return hasCode(error, "overloaded") || hasCode(error, "rate_limited");
}

/** Ticks of the timer in {@linkcode RefusalDelayOptions.ms}. */
const TICKS_PER_DELAY = 2;

export interface RefusalDelayOptions {
  /** A refusal waits from half of these milliseconds up to all of them. */
  readonly ms?: number;
  /** The longest delay, for a client with many waiting refusals. */
  readonly mostMs?: number;
  /** Waiting refusals of a client for each `ms` of delay. */
  readonly perDelay?: number;
  /** Counts the waiting refusals of clients. */
  readonly waiting?: ClientHoldings | undefined;
}

/** Delays refusals with one timer: the more of a client are waiting, the longer the next one waits. */
export class RefusalDelay {
  readonly #tickMs: number;
  readonly #mostDelays: number;
  readonly #perDelay: number;
  readonly #waiting: ClientHoldings;
  /** The refusals to send at the next tick, the one after it, and so on. */
  readonly #slots: (() => void)[][] = [];
  readonly #clock: Clock;
  #isTicking = false;

  constructor(
    {
      ms = REFUSAL_DELAY_MS,
      mostMs = REFUSAL_DELAY_MOST_MS,
      perDelay = REFUSALS_PER_DELAY,
      waiting = new LocalHoldings(),
    }: RefusalDelayOptions = {},
    clock: Clock = systemClock,
  ) {
    this.#clock = clock;
    this.#tickMs = ms / TICKS_PER_DELAY;
    this.#mostDelays = Math.ceil(mostMs / ms);
    this.#perDelay = perDelay;
    this.#waiting = waiting;
  }

  /** Resolves when a refusal to `client` may be sent; without `client`, after the shortest delay. */
  async wait(client: ClientKey | undefined): Promise<void> {
    if (client === undefined) return await this.#sleep(1);
    const release = this.#waiting.hold(client, 1, Infinity, Infinity);
    // A full table counts no more clients.
    if (typeof release !== "function") return await this.#sleep(this.#mostDelays);
    const delays = Math.ceil(this.#waiting.of(client) / this.#perDelay);
    await this.#sleep(Math.min(delays, this.#mostDelays));
    release();
  }

  #sleep(delays: number): Promise<void> {
    return new Promise((resolve) => {
      const ticks = delays * TICKS_PER_DELAY;
      while (this.#slots.length < ticks) this.#slots.push([]);
      this.#slots[ticks - 1]!.push(resolve);
      void this.#tick();
    });
  }

  async #tick(): Promise<void> {
    if (this.#isTicking) return;
    this.#isTicking = true;
    while (this.#slots.length > 0) {
      await this.#clock.sleep(this.#tickMs);
      for (const resolve of this.#slots.shift() ?? []) resolve();
    }
    this.#isTicking = false;
  }
}
