/**
 * Requests to one gateway, or to several of one log, over HTTP.
 *
 * @module
 */

import { type Bytes, textOf } from "../base/bytes.ts";
import { anySignal, type Clock, SLEEP_OVER, systemClock } from "../base/clock.ts";
import { CountersignError, hasCode } from "../base/errors.ts";
import { GatewayRefusal, readRefusal } from "../proof/format/gateway_refusal.ts";
import {
  type ApiKeySource,
  authorizationOf,
  type HttpResponse,
  sendRequest,
} from "./http_client.ts";

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
  /** Other gateways of the same log, such as standbys: tried while the one before does not answer. */
  readonly others?: readonly URL[];
  /** Sent to each of these gateways, and to no other address. */
  readonly apiKey?: ApiKeySource | undefined;
  readonly clock?: Clock;
  /** Time limit for an answer, beyond the wait that the request asks for. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** The verb of all messages, such as "stamp"; that of the request by default. */
  readonly action?: string | undefined;
  /** Ends every request, and every pause between requests, when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the error after which a request is made again. */
  readonly onRetry?: (error: unknown) => void;
}

export interface GatewayRequest {
  /** Names the result in messages. */
  readonly what: string;
  /** The verb of messages; "get" and the result by default. */
  readonly action?: string | undefined;
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
 * A gateway. Every method rejects with `gateway_unreachable`, {@linkcode GatewayRefusal} or
 * `gateway_refused`, and with the signal's reason when `signal` aborts.
 */
export class GatewayConnection {
  /** The first URL, which names the gateway. */
  readonly url: URL;
  readonly #options: GatewayConnectionOptions;
  /** The gateways in the order in which they are asked: the one that answered last is the first. */
  #urls: readonly URL[];

  constructor(options: GatewayConnectionOptions) {
    this.url = options.url;
    this.#options = options;
    this.#urls = gatewayUrls(options);
  }

  /** The gateway that answered last, or the first. */
  get answering(): URL {
    return this.#urls[0] ?? this.url;
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
        `Cannot ${this.#action(request)}: the answer is ${found}, not application/json`,
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
    const { isTransient = isBusy } = options;
    for (let attempts = 1;; attempts++) {
      try {
        return await attempt();
      } catch (error) {
        if (attempts === ATTEMPTS || !isTransient(error)) throw error;
        this.#options.onRetry?.(error);
        const retryAfter = error instanceof GatewayRefusal ? error.retryAfter : undefined;
        const seconds = Math.min(retryAfter ?? 1, MAX_PAUSE_SECONDS);
        await this.#untilEither(options.signal, async (signal) => {
          await clock.sleep(seconds * 1000, signal);
          signal?.throwIfAborted();
        });
      }
    }
  }

  /** The verb of messages about `request`. */
  #action({ what, action }: GatewayRequest): string {
    return this.#options.action ?? action ?? `get ${what}`;
  }

  /**
   * Calls `act` with a signal that aborts with `signal`, or with the signal of all requests. Neither
   * keeps a listener afterwards: both may be used for any number of requests.
   */
  async #untilEither<T>(
    signal: AbortSignal | undefined,
    act: (either: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    const { signal: all } = this.#options;
    if (signal === undefined || all === undefined) return await act(signal ?? all);
    const done = new AbortController();
    try {
      return await act(anySignal(signal, all, done.signal));
    } finally {
      done.abort(SLEEP_OVER);
    }
  }

  async #send(request: GatewayRequest, signal?: AbortSignal): Promise<HttpResponse> {
    return await this.#untilEither(signal, (either) => this.#sendToAny(request, either));
  }

  /**
   * A response with a status of 200 to 299, of the first gateway that is not away. While all are, the error is
   * the refusal of one, if there is any, since that may be temporary.
   */
  async #sendToAny(
    request: GatewayRequest,
    signal: AbortSignal | undefined,
  ): Promise<HttpResponse> {
    const urls = this.#urls;
    let refusal: unknown;
    for (const [i, url] of urls.entries()) {
      try {
        const response = await this.#sendTo(url, request, signal);
        if (i > 0) this.#urls = [url, ...urls.filter((other) => other !== url)];
        return response;
      } catch (error) {
        if (!isAway(error)) throw error;
        if (error instanceof GatewayRefusal) refusal ??= error;
        if (i === urls.length - 1) throw refusal ?? error;
      }
    }
    throw new TypeError("A connection has at least one URL");
  }

  async #sendTo(
    url: URL,
    request: GatewayRequest,
    signal: AbortSignal | undefined,
  ): Promise<HttpResponse> {
    const { what, path, body, waitSeconds = 0 } = request;
    const { timeoutMs = TIMEOUT_MS, fetch, apiKey } = this.#options;
    const response = await sendRequest(new URL(path, url), {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "Accept": "application/json",
        ...await authorizationOf(apiKey),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(waitSeconds > 0 && { "Prefer": `wait=${waitSeconds}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: timeoutMs + waitSeconds * 1000,
      signal,
      ...(fetch && { fetch }),
      failure: `Cannot ${this.#action(request)}`,
      codes: { unreachable: "gateway_unreachable", tooLarge: "gateway_refused" },
    }).catch((error) => {
      signal?.throwIfAborted();
      throw error;
    });
    if (!response.ok) {
      const asked = new URL(path, url).href;
      throw readRefusal(what, response, response.body, { asked, action: this.#action(request) });
    }
    return response;
  }
}

/** The URLs of a gateway, each once. */
export function gatewayUrls(
  { url, others = [] }: Pick<GatewayConnectionOptions, "url" | "others">,
): readonly URL[] {
  return [...new Map([url, ...others].map((one) => [one.href, one])).values()];
}

/** True if the gateway, or a proxy in front of it, may answer later. */
export function isTemporary(error: unknown): boolean {
  return isBusy(error) || isAway(error);
}

/** True if another gateway of the log may answer. */
export function isAway(error: unknown): boolean {
  return hasCode(error, "gateway_unreachable") ||
    error instanceof GatewayRefusal && [502, 503, 504].includes(error.status);
}

/** True for 429 and 503. */
export function isBusy(error: unknown): error is GatewayRefusal {
  return error instanceof GatewayRefusal && (error.status === 429 || error.status === 503);
}
