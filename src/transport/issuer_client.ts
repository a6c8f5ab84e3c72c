/**
 * Asks an issuer of tokens over HTTP (RFC 9578). Redirects are not followed, and token requests go to
 * the issuer's own origin alone: what is shown there is meant for nobody else.
 *
 * @module
 */

import { type Bytes, textOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import {
  ISSUER_DIRECTORY_PATH,
  type IssuerDirectory,
  parseIssuerDirectory,
} from "../format/issuer_directory.ts";
import { readRefusal } from "../format/gateway_refusal.ts";
import { TOKEN_MEDIA_TYPE } from "../format/token_issuance.ts";
import { readBounded } from "./bounded_body.ts";

/** Directories are some kilobytes, responses and problems less. */
const MAX_ANSWER_BYTES = 256 * 1024;
const TIMEOUT_MS = 15_000;

/** An issuer's answer to a token request. */
export type IssuanceAnswer =
  /** The bytes of a TokenResponse. */
  | { readonly kind: "response"; readonly response: Bytes }
  /** 401: something has to be shown, which this header (RFC 9110 section 11.6.1) tells. */
  | { readonly kind: "unauthorized"; readonly challenge: string };

/** One issuer. Every method rejects with `issuer_unreachable` or `issuer_refused`. */
export class IssuerClient {
  readonly #url: URL;
  readonly #timeoutMs: number;

  /** `url` as `parseServiceUrl` makes it; `timeoutMs` is what an answer may take. */
  constructor(
    { url, timeoutMs = TIMEOUT_MS }: { readonly url: URL; readonly timeoutMs?: number },
  ) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
  }

  /** The directory, whose request URI is made absolute. Not asked for longer than until `signal`. */
  async directory(signal?: AbortSignal): Promise<IssuerDirectory> {
    const url = new URL(ISSUER_DIRECTORY_PATH, this.#url);
    const { response, body } = await this.#ask(url, {
      headers: { "Accept": TOKEN_MEDIA_TYPE.directory },
      ...(signal !== undefined && { signal }),
    });
    requireAnswer("issuer directory", response, body, TOKEN_MEDIA_TYPE.directory);
    const directory = parseIssuerDirectory(textOf(body, "issuer_refused"));
    const { requestUri } = directory;
    const absolute = URL.canParse(requestUri, url) ? new URL(requestUri, url) : undefined;
    if (absolute?.origin === url.origin) return { ...directory, requestUri: absolute.href };
    throw new CountersignError(
      "issuer_refused",
      "Cannot use issuer directory: an issuer-request-uri of the issuer's own origin required, " +
        "found another",
    );
  }

  /** Sends the bytes of a TokenRequest to `requestUri`, with `authorization` where there is one. */
  async request(
    requestUri: string,
    request: Bytes,
    authorization?: string,
  ): Promise<IssuanceAnswer> {
    const { response, body } = await this.#ask(new URL(requestUri), {
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
    requireAnswer("token", response, body, TOKEN_MEDIA_TYPE.response);
    return { kind: "response", response: body };
  }

  async #ask(url: URL, init: RequestInit): Promise<{ response: Response; body: Bytes }> {
    let response, body;
    try {
      const limit = AbortSignal.timeout(this.#timeoutMs);
      const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
      response = await fetch(url, { ...init, redirect: "manual", signal });
      body = await readBounded(response, MAX_ANSWER_BYTES);
    } catch (cause) {
      throw new CountersignError(
        "issuer_unreachable",
        `Cannot ask issuer: an answer of ${url.origin} in time required, found none`,
        { cause },
      );
    }
    if (body !== undefined) return { response, body };
    throw new CountersignError(
      "issuer_refused",
      `Cannot read answer of issuer: at most ${MAX_ANSWER_BYTES} bytes required, found more`,
    );
  }
}

/** Refuses with `issuer_refused` what is no good answer of `mediaType`. */
function requireAnswer(what: string, response: Response, body: Bytes, mediaType: string): void {
  const [type = ""] = (response.headers.get("Content-Type") ?? "").split(";");
  if (response.status === 200 && type.trim().toLowerCase() === mediaType) return;
  const { reason, retryAfter } = readRefusal(what, response, body);
  const found = response.status === 200 ? "another media type" : [
    `status ${response.status}`,
    ...(reason === undefined ? [] : [reason]),
    ...(retryAfter === undefined ? [] : [`to be asked again in ${retryAfter} s`]),
  ].join(", ");
  throw new CountersignError(
    "issuer_refused",
    `Cannot obtain ${what}: an answer of type ${mediaType} required, found ${found}`,
  );
}
