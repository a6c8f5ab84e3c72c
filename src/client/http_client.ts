/**
 * One HTTP request with a limit on its time and on the size of the response. Every client of the
 * program that is not a stream uses it. Redirects are not followed: a redirect would carry a token or
 * a request to an address that nobody configured.
 *
 * @module
 */

import { type Bytes, concat } from "../base/bytes.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { CountersignError, type ErrorCode } from "../base/errors.ts";
import { connectionProblem } from "./connection_problem.ts";
import { partsOf } from "./stream_parts.ts";

/** An API key of a private gateway; a function returns the current one. */
export type ApiKeySource = string | (() => string | undefined | Promise<string | undefined>);

/** The header that carries an API key (RFC 6750 section 2.1), if there is one. */
export async function authorizationOf(
  source: ApiKeySource | undefined,
): Promise<{ readonly Authorization?: string }> {
  const key = typeof source === "function" ? await source() : source;
  return key === undefined ? {} : { Authorization: `Bearer ${key}` };
}

/** A request and its limits. */
export interface HttpRequest {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  /** Limit for the response body. */
  readonly maxBytes: number;
  /** Limit for the response with its body; only `signal` limits the time when absent. */
  readonly timeoutMs?: number | undefined;
  /** Measures `timeoutMs`. */
  readonly clock?: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof fetch;
  /** Begins every message: `Cannot get bundle`. */
  readonly failure: string;
  /** The server, in messages; the host of the URL when absent. */
  readonly server?: string;
  readonly codes: {
    /** No response, or none in time. */
    readonly unreachable: ErrorCode;
    /** The body exceeds `maxBytes`. When absent, the response has an empty body instead. */
    readonly tooLarge?: ErrorCode;
    /** The server redirects. When absent, the redirect is returned like any other response. */
    readonly redirected?: ErrorCode;
  };
  /** Called before the body is read. */
  readonly onHeaders?: (headers: Headers) => void;
}

/** A response of any status, with its body. */
export interface HttpResponse {
  readonly status: number;
  /** True for 200 to 299. */
  readonly ok: boolean;
  readonly headers: Headers;
  /** Lowercase, without parameters; empty when absent. */
  readonly mediaType: string;
  readonly body: Bytes;
}

/** Sends `request` to `url`. Rejects with a code of `request.codes`. */
export async function sendRequest(url: URL, request: HttpRequest): Promise<HttpResponse> {
  const { method = "GET", headers = {}, body, maxBytes, timeoutMs, clock = systemClock } = request;
  // A property called as a method would give `fetch` another `this`, which browsers refuse.
  const { failure, server = url.host, codes, signal, fetch: send = fetch } = request;
  const limit = new AbortController();
  const stop = () => limit.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  const finished = new AbortController();
  let timedOut = false;
  if (timeoutMs !== undefined) {
    void clock.sleep(timeoutMs, finished.signal).then(() => {
      timedOut = !finished.signal.aborted;
      limit.abort();
    });
  }
  let response: Response | undefined;
  let bytes: Bytes | undefined;
  try {
    response = await send(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      credentials: "omit",
      redirect: "manual",
      signal: limit.signal,
    });
    if (codes.redirected !== undefined && response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new CountersignError(
        codes.redirected,
        `${failure}: ${server} answered ${response.status}, and redirects are not followed`,
      );
    }
    // Browsers hide the status of a redirect that they do not follow.
    if (response.type === "opaqueredirect") throw new Error("redirect");
    request.onHeaders?.(response.headers);
    bytes = await readBody(response, maxBytes);
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    const reason = signal?.aborted
      ? "the request was cancelled"
      : timedOut
      ? `no answer from ${server} within ${timeoutMs! / 1000} s`
      : response !== undefined
      ? `${server} broke off its answer`
      : connectionProblem(cause, url, server) ?? `no answer from ${server}`;
    throw new CountersignError(codes.unreachable, `${failure}: ${reason}`, { cause });
  } finally {
    finished.abort();
    signal?.removeEventListener("abort", stop);
  }
  if (bytes === undefined && codes.tooLarge !== undefined) {
    const message = `${failure}: the answer of ${server} exceeds ${maxBytes} bytes`;
    throw new CountersignError(codes.tooLarge, message);
  }
  return {
    status: response.status,
    ok: response.ok,
    headers: response.headers,
    mediaType: mediaTypeOf(response.headers),
    body: bytes ?? new Uint8Array(),
  };
}

/** The whole body; `undefined`, and the rest unread, when it is longer than `maxBytes`. */
export async function readBody(
  response: Response,
  maxBytes: number,
): Promise<Bytes | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the stream.
  for await (const part of response.body === null ? [] : partsOf(response.body)) {
    length += part.length;
    if (length > maxBytes) return undefined;
    parts.push(part);
  }
  return concat(...parts);
}

/** `Content-Type` in lowercase, without parameters; empty when absent. */
export function mediaTypeOf(headers: Headers): string {
  const [type = ""] = (headers.get("Content-Type") ?? "").split(";");
  return type.trim().toLowerCase();
}
