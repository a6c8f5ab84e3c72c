/**
 * Successful answers: their bodies, caching (protocol.md "Requests") and common headers.
 *
 * @module
 */

import { type Bytes, utf8 } from "../base/bytes.ts";
import { portableKernels } from "../proof/crypto/portable_kernels.ts";
import { MAX_FIELD_CHARACTERS } from "./limits.ts";

/**
 * `immutable`: the answer never changes. `revalidate`: clients may store it and revalidate it by its
 * ETag. `never`: it describes the present moment.
 */
export type Caching = "immutable" | "revalidate" | "never";

export const CACHE_CONTROL: Readonly<Record<Caching, string>> = {
  immutable: "public, max-age=31536000, immutable",
  revalidate: "public, no-cache",
  never: "no-store",
};

/** `cacheControl` for an answer to one client: caches that clients share must not store it. */
export function privateCaching(cacheControl: string): string {
  return cacheControl.replace(/^public\b/, "private");
}

export const JSON_MEDIA_TYPE = "application/json";
export const TEXT_MEDIA_TYPE = "text/plain; charset=utf-8";
export const COSE_MEDIA_TYPE = "application/cose";
export const BYTES_MEDIA_TYPE = "application/octet-stream";

export type HeaderField = readonly [name: string, value: string];

/** The body of a successful answer. */
export interface Answer {
  readonly body: string | Bytes;
  readonly mediaType: string;
  /** 200 when absent. */
  readonly status?: number;
  /** Precomputed for constant answers. */
  readonly etag?: string;
}

/** `value` as JSON. */
export function jsonAnswer(value: unknown, status = 200): Answer {
  return { body: JSON.stringify(value), mediaType: JSON_MEDIA_TYPE, status };
}

/** An answer that is the same for the life of the process. */
export function constantAnswer(answer: Answer): Answer {
  return { ...answer, etag: etagOf(answer.body) };
}

/** The response to `request`: 304 if `If-None-Match` has the entity tag. */
export function respond(answer: Answer, caching: Caching, request: Request): Response {
  const fields: HeaderField[] = [["Cache-Control", CACHE_CONTROL[caching]]];
  if (caching === "revalidate") {
    const etag = answer.etag ?? etagOf(answer.body);
    fields.push(["ETag", etag]);
    if (matches(request.headers.get("If-None-Match"), etag)) {
      return addFields(new Response(null, { status: 304 }), fields);
    }
  }
  const headers = { "Content-Type": answer.mediaType };
  return addFields(new Response(answer.body, { status: answer.status ?? 200, headers }), fields);
}

/** Status and Content-Type of frequent answers, made once. */
const JSON_INIT = {
  200: { status: 200, headers: { "content-type": JSON_MEDIA_TYPE } },
  202: { status: 202, headers: { "content-type": JSON_MEDIA_TYPE } },
};

/** A frequent answer: `body` is JSON, and `fields` are all but Content-Type. */
export function jsonResponse(
  body: string | Bytes,
  fields: readonly HeaderField[],
  status: keyof typeof JSON_INIT = 200,
): Response {
  return addFields(new Response(body, JSON_INIT[status]), fields);
}

/**
 * Adds `fields` to an unsent `response`. A constructor with more fields than Content-Type copies the body
 * out of V8 at once, at five times the cost.
 */
export function addFields(response: Response, fields: readonly HeaderField[]): Response {
  const { headers } = response;
  for (const [name, value] of fields) headers.append(name, value);
  return response;
}

/** A strong entity tag: 128 bits of the body's SHA-256. */
function etagOf(body: string | Bytes): string {
  const bytes = typeof body === "string" ? utf8(body) : body;
  return `"${portableKernels.sha256(bytes).subarray(0, 16).toHex()}"`;
}

/** The weak comparison of RFC 9110 section 13.1.2. */
export function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch.length > MAX_FIELD_CHARACTERS) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/** Headers of every client route: readable by pages of any origin, and never sniffed. */
export const COMMON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Location, Retry-After, RateLimit, RateLimit-Policy, ETag, Preference-Applied, WWW-Authenticate",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
} as const;

/**
 * Header fields of frequent answers besides Content-Type. Each costs a microsecond, and policies for
 * pages do not apply to JSON.
 */
export function frequentFields(caching: Caching): HeaderField[] {
  return [
    ["cache-control", CACHE_CONTROL[caching]],
    ["access-control-allow-origin", "*"],
    ["x-content-type-options", "nosniff"],
  ];
}

/** Headers of a preflight (Fetch standard, CORS protocol) besides the methods of its path. */
export const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, If-None-Match, Last-Event-ID, Prefer",
  "Access-Control-Max-Age": "86400",
} as const;

/** Adds {@linkcode COMMON_HEADERS} to an unsent `response`, unless it has its own. */
export function addCommonHeaders(response: Response): Response {
  // The runtime writes the headers of a WebSocket handshake.
  if (response.status === 101 || response.headers.has("X-Content-Type-Options")) return response;
  for (const [name, value] of Object.entries(COMMON_HEADERS)) response.headers.set(name, value);
  return response;
}
