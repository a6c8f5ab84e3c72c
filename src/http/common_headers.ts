/**
 * Headers of every answer on a client route: open to pages of any origin (contract B5), and never
 * taken by a browser for anything else than what it says it is.
 *
 * @module
 */

/** Spread into headers that are made once; otherwise see {@linkcode addCommonHeaders}. */
export const COMMON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Location, Retry-After, ETag, Preference-Applied",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
} as const;

/** What a preflight (Fetch standard, CORS protocol) is told beside the methods of its path. */
export const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Headers": "Content-Type, If-None-Match, Prefer",
  "Access-Control-Max-Age": "86400",
} as const;

/** Completes `response`, which no one has begun to send. */
export function addCommonHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(COMMON_HEADERS)) response.headers.set(name, value);
  return response;
}
