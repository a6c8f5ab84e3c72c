/**
 * Requests to one gateway over HTTP.
 *
 * @module
 */

import { type Bytes, textOf } from "../bytes.ts";
import { type Clock, systemClock } from "../clock.ts";
import { CountersignError, hasCode } from "../errors.ts";
import { GatewayRefusal, readRefusal } from "../format/gateway_refusal.ts";
import { type HttpResponse, sendRequest } from "./http_client.ts";

/** Well above a thousand confirmed jobs of large rounds and many witnesses. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
/** Attempts in all while a gateway answers 429 or 503, and the longest pause between them. */
const ATTEMPTS = 5;
const MAX_PAUSE_SECONDS = 10;
/** Messages quote at most this much of a header. */
const QUOTED_LENGTH = 40;

export interface GatewayConnectionOptions {
  /** Ends with a slash; routes are resolved below it. */
  readonly url: URL;
  readonly clock?: Clock;
  /** Time limit for an answer, beyond the wait that the request asks for. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

export interface GatewayRequest {
  /** Names the result in messages. */
  readonly what: string;
  /** Below the gateway's URL. */
  readonly path: string;
  readonly body?: unknown;
  /** How long the gateway may hold the answer (RFC 7240). */
  readonly waitSeconds?: number;
}

/** An answer's text and its parsed value. */
export interface GatewayAnswer<T> {
  readonly text: string;
  readonly value: T;
}

export interface RetryOptions {
  /** Whether to retry after an error; by default while the gateway is busy. */
  readonly isTransient?: (error: unknown) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One gateway. Every method rejects with `gateway_unreachable`, {@linkcode GatewayRefusal} or
 * `gateway_refused`, and with the signal's reason when `signal` aborts.
 */
export class GatewayConnection {
  readonly url: URL;
  readonly #options: GatewayConnectionOptions;

  constructor(options: GatewayConnectionOptions) {
    this.url = options.url;
    this.#options = options;
  }

  /** The body of the answer to `request`, of any media type. */
  async bytes(request: GatewayRequest, signal?: AbortSignal): Promise<Bytes> {
    return (await this.#send(request, signal)).body;
  }

  /** The JSON text of the answer to `request`, and what `parse` makes of it, or its error. */
  async json<T>(
    request: GatewayRequest,
    parse: (text: string) => T | Promise<T>,
    signal?: AbortSignal,
  ): Promise<GatewayAnswer<T>> {
    const { what } = request;
    const { mediaType, body } = await this.#send(request, signal);
    // A proxy's page, or a problem with status 200, is not a result.
    if (mediaType !== "application/json") {
      const found = mediaType.slice(0, QUOTED_LENGTH) || "of no media type";
      throw new CountersignError(
        "gateway_refused",
        `Cannot obtain ${what}: the answer is ${found}, not application/json`,
      );
    }
    try {
      const text = textOf(body, "gateway_refused");
      return { text, value: await parse(text) };
    } catch (cause) {
      if (!(cause instanceof CountersignError)) throw cause;
      const message = `${cause.message}, in the gateway's ${what}`;
      throw new CountersignError(cause.code, message, { cause });
    }
  }

  /**
   * The result of `attempt`, repeated a few times while its error `isTransient`. The pause is the
   * gateway's `Retry-After`, within limits.
   */
  async withRetries<T>(attempt: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
    const { clock = systemClock } = this.#options;
    const { signal, isTransient = isBusy } = options;
    for (let attempts = 1;; attempts++) {
      try {
        return await attempt();
      } catch (error) {
        if (attempts === ATTEMPTS || !isTransient(error)) throw error;
        const retryAfter = error instanceof GatewayRefusal ? error.retryAfter : undefined;
        const seconds = Math.min(retryAfter ?? 1, MAX_PAUSE_SECONDS);
        await clock.sleep(seconds * 1000, signal);
        signal?.throwIfAborted();
      }
    }
  }

  /** A response with a status of 200 to 299. */
  async #send(request: GatewayRequest, signal?: AbortSignal): Promise<HttpResponse> {
    const { what, path, body, waitSeconds = 0 } = request;
    const { timeoutMs = TIMEOUT_MS, fetch } = this.#options;
    const response = await sendRequest(new URL(path, this.url), {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "Accept": "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(waitSeconds > 0 && { "Prefer": `wait=${waitSeconds}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: timeoutMs + waitSeconds * 1000,
      signal,
      ...(fetch && { fetch }),
      failure: `Cannot obtain ${what}`,
      codes: { unreachable: "gateway_unreachable", tooLarge: "gateway_refused" },
    }).catch((error) => {
      signal?.throwIfAborted();
      throw error;
    });
    if (!response.ok) throw readRefusal(what, response, response.body);
    return response;
  }
}

/** True if the gateway, or a proxy in front of it, may answer later. */
export function isTemporary(error: unknown): boolean {
  return isBusy(error) || hasCode(error, "gateway_unreachable") ||
    error instanceof GatewayRefusal && (error.status === 502 || error.status === 504);
}

/** True for 429 and 503. */
export function isBusy(error: unknown): error is GatewayRefusal {
  return error instanceof GatewayRefusal && (error.status === 429 || error.status === 503);
}
