/**
 * Response headers in the OpenAPI document.
 *
 * @module
 */

import { CACHE_CONTROL, type Caching, privateCaching } from "./answer.ts";
import { HASH } from "./schema/examples.ts";

/** A response header. `required` means that every such response has it. */
export type DocumentedHeader = {
  readonly description: string;
  readonly required: boolean;
  readonly schema: {
    readonly type: "string";
    readonly enum?: string[];
    readonly pattern?: string;
    readonly example: string;
  };
};

export function cacheControl(caching: Caching): DocumentedHeader {
  const value = CACHE_CONTROL[caching];
  const values = [...new Set([value, privateCaching(value)])];
  const description = "How long a cache may keep the response" +
    (values.length === 1 ? "" : "; `private` where it needs an API key");
  return { description, required: true, schema: { type: "string", enum: values, example: value } };
}

export const ETAG: DocumentedHeader = {
  description: "Entity tag for If-None-Match; weak if a proxy compressed the response",
  required: true,
  schema: {
    type: "string",
    pattern: '^(W/)?"[0-9a-f]{32}"$',
    example: '"1f4c7c8b9c3e5d60718293a4b5c6d7e8"',
  },
};

export const LOCATION: DocumentedHeader = {
  description:
    "The first job that is not terminal; relative to the URL of the request (RFC 9110 section 10.2.2)",
  required: true,
  schema: {
    type: "string",
    pattern: "^(attestations/)?[0-9a-f]{64}$",
    example: `attestations/${HASH}`,
  },
};

export const PREFERENCE_APPLIED: DocumentedHeader = {
  description:
    "The requested wait. Present only if the gateway held the response; absent if the job was " +
    "terminal at once or the gateway could not wait",
  required: false,
  schema: { type: "string", pattern: "^wait=(0|[1-9][0-9]?)$", example: "wait=5" },
};

export const RETRY_AFTER: DocumentedHeader = {
  description: "Seconds to wait before a retry",
  required: true,
  schema: { type: "string", pattern: "^[1-9][0-9]*$", example: "1" },
};

export const BODY_CODINGS: DocumentedHeader = {
  description: "The codings that a request's body may have (RFC 9110 section 15.5.16)",
  required: true,
  schema: { type: "string", enum: ["identity"], example: "identity" },
};

export const CHALLENGES: DocumentedHeader = {
  description:
    "For API keys, `Bearer` (RFC 6750 section 3). For tokens, a challenge for each key of " +
    "each accepted issuer (RFC 9577 section 2.1)",
  required: true,
  schema: {
    type: "string",
    pattern: "^(Bearer|PrivateToken)( |$)",
    example: 'PrivateToken challenge="AAIADmlzc3Vlci5leGFtcGxlAAAQbG9nLmV4YW1wbGUvdGVzdA==", ' +
      'token-key="MIIBUjA9BgkqhkiG9w0BAQo="',
  },
};

export const RATE_LIMIT_POLICY: DocumentedHeader = {
  description:
    "The exhausted budget of the client (draft-ietf-httpapi-ratelimit-headers): `q` is its " +
    "capacity, `w` the seconds in which an empty budget fills",
  required: true,
  schema: {
    type: "string",
    pattern: '^"[a-z_]+";q=[1-9][0-9]*(;w=[1-9][0-9]*)?$',
    example: '"new_attestations";q=10000;w=100',
  },
};

export const RATE_LIMIT: DocumentedHeader = {
  description: "State of that budget: `r` is the remainder, `t` the seconds until it grows by one",
  required: true,
  schema: {
    type: "string",
    pattern: '^"[a-z_]+";r=(0|[1-9][0-9]*)(;t=[1-9][0-9]*)?$',
    example: '"new_attestations";r=0;t=1',
  },
};

export const UNBUFFERED: DocumentedHeader = {
  description: "Tells proxies not to buffer events",
  required: true,
  schema: { type: "string", enum: ["no"], example: "no" },
};

/**
 * Headers that responses of every route can have, by name. The document lists them once, in its
 * extension `x-common-headers`.
 */
export const COMMON_DOCUMENTED_HEADERS: Readonly<Record<string, DocumentedHeader>> = {
  "Access-Control-Allow-Origin": common(
    "Pages of any origin may read the response",
    "\\*",
    true,
    "*",
  ),
  "X-Content-Type-Options": common("Browsers must not guess another media type", "nosniff", true),
  "Access-Control-Expose-Headers": common(
    "Headers that pages of other origins may read",
    "[A-Za-z-]+(, [A-Za-z-]+)*",
    false,
    "Location, Retry-After, RateLimit, RateLimit-Policy, ETag, Preference-Applied, WWW-Authenticate",
  ),
  "Content-Security-Policy": common(
    "What a browser may load if it shows the response as a page",
    "default-src 'none'; .*frame-ancestors 'none'",
    false,
    "default-src 'none'; frame-ancestors 'none'",
  ),
  "Referrer-Policy": common("Browsers send no Referer for links on the page", "no-referrer", false),
};

function common(
  description: string,
  pattern: string,
  required: boolean,
  example = pattern,
): DocumentedHeader {
  return { description, required, schema: { type: "string", pattern: `^${pattern}$`, example } };
}
