/**
 * The path of a request as it was sent.
 *
 * @module
 */

/** Past `http://` and `https:/`: the path begins at the first slash from here. */
const AUTHORITY_START = 8;

/** Where the path begins in the absolute `url` of a request; its end when it has none. */
export function pathStart(url: string): number {
  const start = url.indexOf("/", AUTHORITY_START);
  // Of `CONNECT` and of `GET http://host?query`, which name no path.
  return start < 0 ? url.length : start;
}

/** The path, percent-encodings left as they are: one resource has one spelling. */
export function pathOf({ url }: Request): string {
  const start = pathStart(url);
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}
