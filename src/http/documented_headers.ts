/**
 * What the OpenAPI document says of the headers of responses.
 *
 * @module
 */

import { CACHE_CONTROL, type Caching } from "./answer.ts";
import { HASH } from "./schema/examples.ts";

/** A header of a response, as OpenAPI has it; `required` when no such response is without it. */
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

/** Says how long an answer holds. */
export function cacheControl(caching: Caching): DocumentedHeader {
  const value = CACHE_CONTROL[caching];
  const description = "How long the answer may be kept";
  return { description, required: true, schema: { type: "string", enum: [value], example: value } };
}

export const ETAG: DocumentedHeader = {
  description: "Entity tag for If-None-Match; weak where the answer was compressed on its way",
  required: true,
  schema: {
    type: "string",
    pattern: '^(W/)?"[0-9a-f]{32}"$',
    example: '"1f4c7c8b9c3e5d60718293a4b5c6d7e8"',
  },
};

export const LOCATION: DocumentedHeader = {
  description: "Where a job that is not terminal is read",
  required: true,
  schema: {
    type: "string",
    pattern: "^/v1/attestations/[0-9a-f]{64}$",
    example: `/v1/attestations/${HASH}`,
  },
};

export const PREFERENCE_APPLIED: DocumentedHeader = {
  description:
    "The wait that was asked for, where the answer was held for it; absent where nothing " +
    "was waited for: the job was terminal at once, or could not be waited for",
  required: false,
  schema: { type: "string", pattern: "^wait=(0|[1-9][0-9]?)$", example: "wait=5" },
};

export const RETRY_AFTER: DocumentedHeader = {
  description: "Seconds after which asking again may help",
  required: true,
  schema: { type: "string", pattern: "^[1-9][0-9]*$", example: "1" },
};

export const PRIVATE_TOKEN: DocumentedHeader = {
  description:
    "A challenge for each key of an issuer whose tokens are taken (RFC 9577 section 2.1)",
  required: true,
  schema: {
    type: "string",
    pattern: "^PrivateToken( |$)",
    example: 'PrivateToken challenge="AAIADmlzc3Vlci5leGFtcGxlAAAQbG9nLmV4YW1wbGUvdGVzdA==", ' +
      'token-key="MIIBUjA9BgkqhkiG9w0BAQo="',
  },
};

export const RATE_LIMIT_POLICY: DocumentedHeader = {
  description: "The budget of the client that is used up (draft-ietf-httpapi-ratelimit-headers): " +
    "what it holds, `q`, and in how many seconds an empty one fills, `w`",
  required: true,
  schema: {
    type: "string",
    pattern: '^"[a-z_]+";q=[1-9][0-9]*(;w=[1-9][0-9]*)?$',
    example: '"new_attestations";q=10000;w=100',
  },
};

export const RATE_LIMIT: DocumentedHeader = {
  description: "What is left of that budget, `r`, and in how many seconds there is one more, `t`",
  required: true,
  schema: {
    type: "string",
    pattern: '^"[a-z_]+";r=(0|[1-9][0-9]*)(;t=[1-9][0-9]*)?$',
    example: '"new_attestations";r=0;t=1',
  },
};

export const UNBUFFERED: DocumentedHeader = {
  description: "Asks a proxy to pass each event on at once",
  required: true,
  schema: { type: "string", enum: ["no"], example: "no" },
};

/**
 * Headers that stand on answers of every route, by name; `required` where on every one. The document
 * has them once, as its extension `x-common-headers`, and not a hundred times.
 */
export const COMMON_DOCUMENTED_HEADERS: Readonly<Record<string, DocumentedHeader>> = {
  "Access-Control-Allow-Origin": common(
    "Pages of any origin may read the answer",
    "\\*",
    true,
    "*",
  ),
  "X-Content-Type-Options": common("Nothing is taken for another type", "nosniff", true),
  "Access-Control-Expose-Headers": common(
    "Headers that pages of other origins may read",
    "[A-Za-z-]+(, [A-Za-z-]+)*",
    false,
    "Location, Retry-After, RateLimit, RateLimit-Policy, ETag, Preference-Applied, WWW-Authenticate",
  ),
  "Content-Security-Policy": common(
    "What a browser that shows the answer as a page may load",
    "default-src 'none'; .*frame-ancestors 'none'",
    false,
    "default-src 'none'; frame-ancestors 'none'",
  ),
  "Referrer-Policy": common("Links tell nobody where they stand", "no-referrer", false),
};

function common(
  description: string,
  pattern: string,
  required: boolean,
  example = pattern,
): DocumentedHeader {
  return { description, required, schema: { type: "string", pattern: `^${pattern}$`, example } };
}
