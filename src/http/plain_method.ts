/**
 * Methods of requests, of which a client may make up any.
 *
 * @module
 */

import { pathOf } from "./request_path.ts";

/** A name that resolves nowhere (RFC 6761 section 6.4): the client's own may be none. */
const ANY_HOST = "http://host.invalid";

/**
 * `request` as hono's router takes it. Where its method is no word in capitals, one for the same path
 * with a method that no route has: the router looks methods up in plain objects, where `toString` and
 * `constructor` are found. A HEAD becomes the GET: the runtime sends only the head of that answer,
 * with its length (RFC 9110 section 8.6), while hono would drop the body, and make the length 0.
 */
export function withPlainMethod(request: Request): Request {
  const { method } = request;
  // A copy by `new Request` would follow the signal of `request`, of which the runtime warns.
  if (method === "HEAD") return Object.create(request, { method: { value: "GET" } });
  if (/^[A-Z]+$/.test(method)) return request;
  return new Request(ANY_HOST + pathOf(request), { method: "UNKNOWN" });
}
