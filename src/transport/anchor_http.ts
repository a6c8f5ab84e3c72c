/**
 * Questions to external anchor services over HTTP.
 *
 * @module
 */

import type { AnchorAnswer, AnchorHttp } from "../anchors/ports.ts";
import { CountersignError } from "../errors.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import { readBounded } from "./bounded_body.ts";

const MAX_ANSWER_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** How services may be asked. */
export interface FetchAnchorHttpOptions {
  /** Allows `http:` beyond loopback. */
  readonly insecure: boolean;
  /** Milliseconds for an answer with its body; 30 s when absent. */
  readonly timeoutMs?: number;
}

/**
 * {@linkcode AnchorHttp} over `fetch`: 30 s and 1 MiB for an answer, no redirect followed, nothing
 * kept between requests. Messages name the service's host: they are for the operator's log alone.
 */
export class FetchAnchorHttp implements AnchorHttp {
  readonly #options: FetchAnchorHttpOptions;

  constructor(options: FetchAnchorHttpOptions) {
    this.#options = options;
  }

  async request(
    url: URL,
    init: Parameters<AnchorHttp["request"]>[1],
    signal: AbortSignal,
  ): Promise<AnchorAnswer> {
    checkUrl(url, this.#options.insecure);
    const { method, headers = {}, body } = init;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.#options.timeoutMs ?? TIMEOUT_MS);
    let response, bytes;
    try {
      response = await fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        credentials: "omit",
        // Another place than the one that was configured is not asked.
        redirect: "manual",
        signal: AbortSignal.any([limit.signal, signal]),
      });
      bytes = await readBounded(response, MAX_ANSWER_BYTES);
    } catch (cause) {
      const found = signal.aborted ? "a stop" : limit.signal.aborted ? "none in time" : "none";
      throw unreachable(url, "an answer", found, cause);
    } finally {
      clearTimeout(timer);
    }
    if (bytes === undefined) {
      throw unreachable(url, `at most ${MAX_ANSWER_BYTES} bytes`, "more");
    }
    const { status } = response;
    if (status >= 300 && status < 400) {
      throw unreachable(url, "an answer", "a redirect, which is not followed");
    }
    const [contentType = ""] = (response.headers.get("Content-Type") ?? "").split(";");
    return { status, contentType: contentType.trim().toLowerCase(), body: bytes };
  }
}

/** A provider may make URLs of its own below the configured ones, never others. */
function checkUrl(url: URL, insecure: boolean): void {
  if (url.username !== "" || url.password !== "") {
    throw new CountersignError(
      "invalid_configuration",
      "Cannot ask anchor service: a URL without credentials required, found some",
    );
  }
  parseServiceUrl(url.origin, { insecure });
}

function unreachable(
  url: URL,
  required: string,
  found: string,
  cause?: unknown,
): CountersignError {
  return new CountersignError(
    "anchor_unreachable",
    `Cannot ask anchor service at ${url.host}: ${required} required, found ${found}`,
    { cause },
  );
}
