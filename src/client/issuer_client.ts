/**
 * Client of a token issuer (RFC 9578). Token requests go to the issuer's own origin only, since the
 * credentials in them are for nobody else.
 *
 * @module
 */

import { type Bytes, textOf } from "../base/bytes.ts";
import { CountersignError, hasCode } from "../base/errors.ts";
import {
  ISSUER_DIRECTORY_PATH,
  type IssuerDirectory,
  parseIssuerDirectory,
} from "../proof/format/issuer_directory.ts";
import { readRefusal } from "../proof/format/gateway_refusal.ts";
import { urlOf } from "../proof/format/service_url.ts";
import { TOKEN_MEDIA_TYPE } from "../proof/format/token_issuance.ts";
import { type HttpRequest, type HttpResponse, sendRequest } from "./http_client.ts";

/** Directories are some kilobytes, responses and problems less. */
const MAX_ANSWER_BYTES = 256 * 1024;
const TIMEOUT_MS = 15_000;

/** An issuer's answer to a token request. */
export type IssuanceAnswer =
  /** The bytes of a TokenResponse. */
  | { readonly kind: "response"; readonly response: Bytes }
  /** 401 with its `WWW-Authenticate` header (RFC 9110 section 11.6.1). */
  | { readonly kind: "unauthorized"; readonly challenge: string };

/** `issuer_refused`, with the issuer's answer. */
export class IssuerRefusal extends CountersignError {
  readonly status: number;
  /** Seconds to wait before another attempt. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    answer: { readonly status: number; readonly retryAfter: number | undefined },
  ) {
    super("issuer_refused", message);
    this.status = answer.status;
    this.retryAfter = answer.retryAfter;
  }
}

/** True if the same request may succeed later. */
export function isIssuerAway(error: unknown): boolean {
  return hasCode(error, "issuer_unreachable") ||
    error instanceof IssuerRefusal && [429, 502, 503, 504].includes(error.status);
}

/** One issuer. Every method rejects with `issuer_unreachable` or `issuer_refused`. */
export class IssuerClient {
  readonly #url: URL;
  readonly #timeoutMs: number;

  /** `url` as `parseServiceUrl` returns it; `timeoutMs` limits each request. */
  constructor(
    { url, timeoutMs = TIMEOUT_MS }: { readonly url: URL; readonly timeoutMs?: number },
  ) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
  }

  /** The directory, with an absolute request URI. */
  async directory(signal?: AbortSignal): Promise<IssuerDirectory> {
    const url = new URL(ISSUER_DIRECTORY_PATH, this.#url);
    const headers = { "Accept": TOKEN_MEDIA_TYPE.directory };
    const response = await this.#send(url, { headers, signal });
    requireMediaType("issuer directory", response, TOKEN_MEDIA_TYPE.directory);
    const directory = parseIssuerDirectory(textOf(response.body, "issuer_refused"));
    const { requestUri } = directory;
    const absolute = urlOf(requestUri, url);
    if (absolute?.origin === url.origin) return { ...directory, requestUri: absolute.href };
    throw new CountersignError(
      "issuer_refused",
      "Cannot use issuer directory: its issuer-request-uri has another origin than the issuer",
    );
  }

  /** Sends a TokenRequest to `requestUri`, with `authorization` if given. */
  async request(
    requestUri: string,
    request: Bytes,
    authorization?: string,
  ): Promise<IssuanceAnswer> {
    const response = await this.#send(new URL(requestUri), {
      method: "POST",
      headers: {
        "Accept": TOKEN_MEDIA_TYPE.response,
        "Content-Type": TOKEN_MEDIA_TYPE.request,
        ...(authorization !== undefined && { "Authorization": authorization }),
      },
      body: request,
    });
    if (response.status === 401 && authorization === undefined) {
      return { kind: "unauthorized", challenge: response.headers.get("WWW-Authenticate") ?? "" };
    }
    requireMediaType("token", response, TOKEN_MEDIA_TYPE.response);
    return { kind: "response", response: response.body };
  }

  #send(
    url: URL,
    request: Pick<HttpRequest, "method" | "headers" | "body" | "signal">,
  ): Promise<HttpResponse> {
    return sendRequest(url, {
      ...request,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: this.#timeoutMs,
      failure: "Cannot ask issuer",
      codes: { unreachable: "issuer_unreachable", tooLarge: "issuer_refused" },
    });
  }
}

/** `issuer_refused` unless `response` is a 200 with a body of `mediaType`. */
function requireMediaType(what: string, response: HttpResponse, mediaType: string): void {
  const { status } = response;
  if (status === 200 && response.mediaType === mediaType) return;
  const { reason, retryAfter } = readRefusal(what, response, response.body);
  const found = status === 200 ? `an answer that is not ${mediaType}` : [
    `status ${status}`,
    ...(reason === undefined ? [] : [reason]),
    ...(retryAfter === undefined ? [] : [`retry in ${retryAfter} s`]),
  ].join(", ");
  throw new IssuerRefusal(`Cannot get ${what}: the issuer sent ${found}`, {
    status,
    retryAfter,
  });
}
