/**
 * Which failures time may mend, and how long to wait for that. A page that lost its gateway goes on
 * by itself when the gateway is back.
 *
 * @module
 */

import { Backoff } from "../../backoff.ts";
import { hasCode } from "../../errors.ts";
import { GatewayRefusal } from "../../format/gateway_refusal.ts";

const LIMITS = { firstMs: 1_000, longestMs: 15_000 };

/** Too many requests, and what gateways and the proxies before them answer while one is away. */
const PASSING_STATUS: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** True where asking again may help. */
export function mayPass(error: unknown): boolean {
  if (error instanceof GatewayRefusal) return PASSING_STATUS.has(error.status);
  return hasCode(error, "gateway_unreachable");
}

/** How one loop waits. */
export interface Pauses {
  /** Resolves after `ms`, sooner where something hints that it is worth looking; never rejects. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

/**
 * What `ask` answers, asked again while it fails in a way that may pass. `onLost` is told of each
 * such failure, `onFound` once it answers after one.
 */
export async function patiently<T>(
  ask: () => Promise<T>,
  { wait, random }: Pauses,
  told: { readonly onLost: (error: unknown) => void; readonly onFound: () => void },
  signal: AbortSignal,
): Promise<T> {
  const backoff = new Backoff(LIMITS, random);
  for (let isLost = false;; isLost = true) {
    try {
      const answer = await ask();
      if (isLost) told.onFound();
      return answer;
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
      told.onLost(error);
      const asked = error instanceof GatewayRefusal ? (error.retryAfter ?? 0) * 1000 : 0;
      await wait(Math.max(backoff.afterFailure(), Math.min(asked, LIMITS.longestMs)), signal);
      signal.throwIfAborted();
    }
  }
}
