/**
 * Successful answers: their bodies, caching (protocol.md "Requests") and common headers.
 *
 * @module
 */

import { type Bytes, utf8 } from "../bytes.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";

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

export const JSON_MEDIA_TYPE = "application/json";
export const TEXT_MEDIA_TYPE = "text/plain; charset=utf-8";
export const BYTES_MEDIA_TYPE = "application/octet-stream";

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
  const headers: Record<string, string> = { "Cache-Control": CACHE_CONTROL[caching] };
  if (caching === "revalidate") {
    headers["ETag"] = answer.etag ?? etagOf(answer.body);
    if (matches(request.headers.get("If-None-Match"), headers["ETag"])) {
      return new Response(null, { status: 304, headers });
    }
  }
  headers["Content-Type"] = answer.mediaType;
  return new Response(answer.body, { status: answer.status ?? 200, headers });
}

/** A strong entity tag: 128 bits of the body's SHA-256. */
function etagOf(body: string | Bytes): string {
  const bytes = typeof body === "string" ? utf8(body) : body;
  return `"${portableKernels.sha256(bytes).subarray(0, 16).toHex()}"`;
}

/** The weak comparison of RFC 9110 section 13.1.2. */
export function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
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
 * Headers of frequent JSON answers. Each header costs two microseconds, a twentieth of an answer, and
 * policies for pages do not apply to JSON.
 */
export const FREQUENT_JSON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "X-Content-Type-Options": "nosniff",
} as const;

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
