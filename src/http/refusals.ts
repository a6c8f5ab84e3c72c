/**
 * Answers refused requests on a clients' listener, and delays refusals for too many requests. A client
 * that gets a refusal at once retries at once and slows down accepted requests.
 *
 * @module
 */

import { type ClientHoldings, LocalHoldings } from "./limits/holdings.ts";
import type { ClientKey } from "./limits/client_key.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { hasCode } from "../base/errors.ts";
import { addCommonHeaders } from "./answer.ts";
import { REFUSAL_DELAY_MOST_MS, REFUSAL_DELAY_MS, REFUSALS_PER_DELAY } from "./limits.ts";
import { isFault, problemResponse } from "./problem.ts";
import { exceedsInFlight, type RateLimits } from "./rate_limits.ts";
import type { RequestContext } from "./request_context.ts";

/** Receives every fault ({@linkcode isFault}) with the id of its request. */
export type FaultReport = (error: unknown, requestId: string) => void;

/** The refusals of one listener. */
export class Refusals {
  readonly #limits: RateLimits | undefined;
  readonly #report: FaultReport;
  readonly #delay: RefusalDelay;

  constructor(limits: RateLimits | undefined, report: FaultReport) {
    this.#limits = limits;
    this.#report = report;
    this.#delay = new RefusalDelay({ waiting: limits?.waitingRefusals });
  }

  /** The problem for `error`, with `headers` added. */
  async answer(
    error: unknown,
    context: RequestContext,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    if (isFault(error)) this.#report(error, context.id);
    this.#limits?.refused(context, error);
    if (exceedsInFlight(error)) {
      // A delayed answer would be one more request in flight.
      headers = { ...headers, Connection: "close" };
    } else if (isBackPressure(error)) {
      await this.delay(context);
    }
    return addCommonHeaders(problemResponse(error, context, { headers }));
  }

  /** Delays an answer as long as a refusal. */
  delay(context: RequestContext): Promise<void> {
    return this.#delay.wait(context.client);
  }
}

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
