/**
 * Requests to external anchor services over HTTP.
 *
 * @module
 */

import type { AnchorAnswer, AnchorHttp } from "../../gateway/anchors/ports.ts";
import { CountersignError } from "../../base/errors.ts";
import { parseServiceUrl } from "../../proof/format/service_url.ts";
import { sendRequest } from "../../client/http_client.ts";

const MAX_ANSWER_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;

export interface FetchAnchorHttpOptions {
  /** Allows `http:` beyond loopback. */
  readonly insecure: boolean;
  /** Time limit for an answer with its body; 30 s when absent. */
  readonly timeoutMs?: number;
}

/**
 * {@linkcode AnchorHttp} with limits of 30 s and 1 MiB. Redirects are `anchor_unreachable`. Messages
 * name the service's host: they are for the operator's log only.
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
    const code = "anchor_unreachable";
    const { status, mediaType, body } = await sendRequest(url, {
      ...init,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: this.#options.timeoutMs ?? TIMEOUT_MS,
      signal,
      failure: "Cannot ask anchor service",
      codes: { unreachable: code, tooLarge: code, redirected: code },
    });
    return { status, contentType: mediaType, body };
  }
}

/** A provider builds URLs below the configured ones, so each request is checked again. */
function checkUrl(url: URL, insecure: boolean): void {
  if (url.username !== "" || url.password !== "") {
    throw new CountersignError(
      "invalid_configuration",
      "Cannot ask anchor service: its URL contains credentials",
    );
  }
  parseServiceUrl(url.origin, { insecure });
}
