/**
 * Requests to one gateway over HTTP.
 *
 * @module
 */

import { type Clock, systemClock } from "../clock.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";
import { type HttpResponse, sendRequest } from "./http_client.ts";

/** Well above a thousand confirmed jobs of large rounds and many witnesses. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
/** Attempts in all while a gateway answers 429 or 503, and the longest pause between them. */
const ATTEMPTS = 5;
const MAX_PAUSE_SECONDS = 10;

export interface GatewayConnectionOptions {
  /** As `parseServiceUrl` returns it. */
  readonly url: URL;
  readonly clock?: Clock;
  /** Time limit for an answer, beyond the wait that the request asks for. */
  readonly timeoutMs?: number;
}

export interface GatewayRequest {
  /** Names the result in messages. */
  readonly what: string;
  /** Below the gateway's URL. */
  readonly path: string;
  readonly body?: unknown;
  readonly waitSeconds?: number;
}

export class GatewayConnection {
  readonly url: URL;
  readonly #clock: Clock;
  readonly #timeoutMs: number;

  constructor(options: GatewayConnectionOptions) {
    this.url = options.url;
    this.#clock = options.clock ?? systemClock;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  /**
   * Sends `request` and returns the response, whatever its status. Rejects with `gateway_unreachable`,
   * with `gateway_refused` when the body is too large, and with the signal's reason when it aborts.
   */
  async send(request: GatewayRequest, signal?: AbortSignal): Promise<HttpResponse> {
    const { what, path, body, waitSeconds = 0 } = request;
    return await sendRequest(new URL(path, this.url), {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "Accept": "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(waitSeconds > 0 && { "Prefer": `wait=${waitSeconds}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: this.#timeoutMs + waitSeconds * 1000,
      signal,
      failure: `Cannot obtain ${what}`,
      codes: { unreachable: "gateway_unreachable", tooLarge: "gateway_refused" },
    }).catch((error) => {
      signal?.throwIfAborted();
      throw error;
    });
  }

  /**
   * The result of `attempt`, repeated a few times while its error `isTransient` (by default, while the
   * gateway is busy). The pause is the gateway's `Retry-After`, within limits.
   */
  async withRetries<T>(
    attempt: () => Promise<T>,
    options: {
      readonly signal?: AbortSignal | undefined;
      readonly isTransient?: (error: unknown) => boolean;
    } = {},
  ): Promise<T> {
    const { signal, isTransient = isBusy } = options;
    for (let attempts = 1;; attempts++) {
      try {
        return await attempt();
      } catch (error) {
        if (attempts === ATTEMPTS || !isTransient(error)) throw error;
        const retryAfter = error instanceof GatewayRefusal ? error.retryAfter : undefined;
        const seconds = Math.min(retryAfter ?? 1, MAX_PAUSE_SECONDS);
        await this.#clock.sleep(seconds * 1000, signal);
        signal?.throwIfAborted();
      }
    }
  }
}

/** True for 429 and 503. */
export function isBusy(error: unknown): error is GatewayRefusal {
  return error instanceof GatewayRefusal && (error.status === 429 || error.status === 503);
}
