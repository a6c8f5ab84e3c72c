/**
 * Headers of every answer on a client route: open to pages of any origin (protocol.md "Requests"),
 * and never
 * taken by a browser for anything else than what it says it is.
 *
 * @module
 */

/** Spread into headers that are made once; otherwise see {@linkcode addCommonHeaders}. */
export const COMMON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Location, Retry-After, RateLimit, RateLimit-Policy, ETag, Preference-Applied, WWW-Authenticate",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
} as const;

/**
 * Those of JSON that is answered too often to carry more: each header costs two microseconds, a
 * twentieth of the whole. What is JSON and taken for nothing else is no page, to which a policy for
 * pages would apply.
 */
export const FREQUENT_JSON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "X-Content-Type-Options": "nosniff",
} as const;

/** What a preflight (Fetch standard, CORS protocol) is told beside the methods of its path. */
export const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, If-None-Match, Last-Event-ID, Prefer",
  "Access-Control-Max-Age": "86400",
} as const;

/** Completes `response`, which no one has begun to send, unless it was made with its own. */
export function addCommonHeaders(response: Response): Response {
  // Of a handshake the runtime writes the headers.
  if (response.status === 101 || response.headers.has("X-Content-Type-Options")) return response;
  for (const [name, value] of Object.entries(COMMON_HEADERS)) response.headers.set(name, value);
  return response;
}
