/**
 * The path and the method of a request, as the router sees them.
 *
 * @module
 */

/** Past `http://` and `https:/`: the path begins at the first slash from here. */
const AUTHORITY_START = 8;

/** A host that resolves nowhere (RFC 6761 section 6.4). */
const ANY_HOST = "http://host.invalid";

/** The start of the path in the absolute `url` of a request; the end of `url` if it has none. */
export function pathStart(url: string): number {
  const start = url.indexOf("/", AUTHORITY_START);
  // `CONNECT` and `GET http://host?query` have no path.
  return start < 0 ? url.length : start;
}

/** The path with its percent-encodings: each resource has one spelling. */
export function pathOf({ url }: Request): string {
  const start = pathStart(url);
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}

/**
 * `request` with a method that is safe for hono's router, which looks methods up in plain objects and
 * would find `toString`: a method that is not a word in capitals becomes UNKNOWN. A HEAD becomes a
 * GET: the runtime sends only the head of the answer with its length (RFC 9110 section 8.6), while
 * hono would drop the body and send the length 0.
 */
export function withPlainMethod(request: Request): Request {
  const { method } = request;
  // A copy by `new Request` would follow the signal of `request`, of which the runtime warns.
  if (method === "HEAD") return Object.create(request, { method: { value: "GET" } });
  if (/^[A-Z]+$/.test(method)) return request;
  return new Request(ANY_HOST + pathOf(request), { method: "UNKNOWN" });
}
