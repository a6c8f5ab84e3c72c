/**
 * URLs of services. Tokens and digests travel in clear text on loopback only.
 *
 * @module
 */

import { errorBuilder } from "../../base/errors.ts";

/** RFC 6761 section 6.3, RFC 1122 section 3.2.1.3 and RFC 4291 section 2.5.3, as URLs spell them. */
const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;

/**
 * Parses a URL and ends its path in a slash, so that routes resolve below it. Accepts `https:`,
 * `http:` on loopback, and any `http:` if `insecure`; no credentials, query or fragment. Messages call it `name`,
 * and quote only a URL that has a name: in a configuration, a secret may stand in its place.
 *
 * @throws CountersignError `invalid_configuration`
 */
export function parseServiceUrl(
  text: string,
  options: { readonly insecure: boolean; readonly name?: string },
): URL {
  const { insecure, name } = options;
  const invalid = errorBuilder("invalid_configuration", `Cannot use ${name ?? "service URL"}`);
  const url = urlOf(text);
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    const full = name === undefined ? undefined : withScheme(text);
    throw invalid(
      full === undefined ? "it is not an http or https URL" : `it has no scheme; write ${full}`,
    );
  }
  // Errors never quote the URL: with credentials it is a secret.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw invalid("it has credentials, a query or a fragment");
  }
  if (url.protocol === "http:" && !insecure && !isLoopbackName(url.hostname)) {
    throw invalid("http is allowed only on loopback; use https");
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** The URL that `text` was meant to be, if it is a host with perhaps a port and a path. */
function withScheme(text: string): string | undefined {
  if (!/^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:[0-9]+)?(\/[A-Za-z0-9._~/-]*)?$/.test(text)) return;
  const url = urlOf(`https://${text}`);
  return url && `${isLoopbackName(url.hostname) ? "http" : "https"}://${text}`;
}

/** True if `hostname`, spelled as in a URL, is this machine. */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** `text` as a URL, relative to `base` if given, or `undefined`. Chrome 119 has no `URL.canParse`. */
export function urlOf(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** The text that `encoded` stands for in a URL; empty if it is not percent-encoded UTF-8. */
export function percentDecoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return "";
  }
}
