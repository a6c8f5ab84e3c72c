/**
 * Methods of requests, of which a client may make up any.
 *
 * @module
 */

import { pathOf } from "./request_path.ts";

/** A name that resolves nowhere (RFC 6761 section 6.4): the client's own may be none. */
const ANY_HOST = "http://host.invalid";

/**
 * `request`, or where its method is no word in capitals one for the same path with a method that no
 * route has: hono's router looks methods up in plain objects, where `toString` and `constructor` are
 * found.
 */
export function withPlainMethod(request: Request): Request {
  if (/^[A-Z]+$/.test(request.method)) return request;
  return new Request(ANY_HOST + pathOf(request), { method: "UNKNOWN" });
}
