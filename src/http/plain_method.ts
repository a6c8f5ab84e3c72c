/**
 * Methods of requests, of which a client may make up any.
 *
 * @module
 */

/**
 * `request`, or where its method is no word in capitals the same without a body and with a method
 * that no route has: hono's router looks methods up in plain objects, where `toString` and
 * `constructor` are found.
 */
export function withPlainMethod(request: Request): Request {
  if (/^[A-Z]+$/.test(request.method)) return request;
  return new Request(request.url, { method: "UNKNOWN" });
}
