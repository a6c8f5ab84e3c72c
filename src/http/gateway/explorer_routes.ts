/**
 * Serves the explorer's page: the document at `/` and its files below `/assets/`. It is not part of
 * the API.
 *
 * @module
 */

import { respondFile } from "../page_file.ts";
import type { PageFiles } from "./explorer_assets.ts";
import type { RequestContext } from "../request_context.ts";
import { methodNotAllowed } from "../router.ts";

/**
 * Allows the page only its own scripts, styles and WebAssembly modules, and requests to its own site
 * and to the token issuers of the network at `issuerUrls`; no inline styles.
 */
export function pagePolicy(issuerUrls: readonly string[]): string {
  const origins = new Set(issuerUrls.map((url) => new URL(url).origin));
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    ["connect-src 'self'", ...origins].join(" "),
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const OWN_SITE = pagePolicy([]);

/** The route of all files, whose names are hashes of their content. */
const FILE_ROUTE = "/{file}";

/** Answers a request for a file of the page with its policy; `undefined` for other paths. */
export function answerPage(
  files: PageFiles,
  context: RequestContext,
  policy = OWN_SITE,
): Promise<Response> | undefined {
  const { request, path } = context;
  const file = files.get(path);
  if (file === undefined) return undefined;
  context.route = FILE_ROUTE;
  if (request.method !== "GET" && request.method !== "HEAD") {
    return Promise.resolve(methodNotAllowed(context, "GET, HEAD"));
  }
  const headers = {
    "Content-Security-Policy": policy,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
  const caching = path === "/" ? "revalidate" : "immutable";
  return respondFile(file, { caching, headers }, context);
}
