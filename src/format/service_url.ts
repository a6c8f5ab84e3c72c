/**
 * Which URLs a service may be asked at: tokens and digests travel in clear text to this machine only.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";

/** RFC 6761 section 6.3, RFC 1122 section 3.2.1.3 and RFC 4291 section 2.5.3, as URLs spell them. */
const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;

/**
 * The URL of `text`, whose path ends in a slash so that routes resolve below it. `https:` is required,
 * or `http:` on loopback, or `http:` anywhere when `insecure`; no credentials, query or fragment.
 *
 * @throws CountersignError `invalid_configuration`
 */
export function parseServiceUrl(text: string, options: { readonly insecure: boolean }): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw invalid("an https URL", "another text");
  }
  // Never quoted: a URL with credentials is a secret.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw invalid("a URL of a host and a path", "credentials, a query or a fragment");
  }
  if (url.protocol === "http:" && !options.insecure && !isLoopbackName(url.hostname)) {
    throw invalid("https, except on loopback,", "http");
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** Whether a URL of `hostname`, as URLs spell it, names this machine whoever resolves it. */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use service URL: ${required} required, ${found} found`,
  );
}
