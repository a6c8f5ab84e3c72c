/**
 * Serves the explorer's page: the document at `/` and its files below `/assets/`. It is not part of
 * the API.
 *
 * @module
 */

import { CACHE_CONTROL, type Caching, matches } from "../answer.ts";
import { type Coding, CODINGS, type PageFile, type PageFiles } from "./explorer_assets.ts";
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
  return respond(file, { caching: path === "/" ? "revalidate" : "immutable", policy }, context);
}

async function respond(
  file: PageFile,
  { caching, policy }: { readonly caching: Caching; readonly policy: string },
  context: RequestContext,
): Promise<Response> {
  const { request } = context;
  const coding = codingFor(request.headers.get("Accept-Encoding"));
  const etag = `"${file.digest}${coding === undefined ? "" : `-${coding}`}"`;
  const headers: Record<string, string> = {
    "Cache-Control": CACHE_CONTROL[caching],
    "Content-Security-Policy": policy,
    "ETag": etag,
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
  };
  if (matches(request.headers.get("If-None-Match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const body = coding === undefined ? file.bytes : await file.coded(coding);
  context.chargeAnswer(body.length);
  headers["Content-Type"] = file.mediaType;
  headers["Content-Length"] = String(body.length);
  if (coding !== undefined) headers["Content-Encoding"] = coding;
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

/** Our best coding in `accepted` (RFC 9110 section 12.5.3) with a weight above 0. */
function codingFor(accepted: string | null): Coding | undefined {
  const named = new Set(
    (accepted ?? "").split(",").map((entry) => entry.trim().toLowerCase())
      .filter((entry) => !/;\s*q=0(\.0*)?$/.test(entry))
      .map((entry) => entry.split(";")[0]!.trim()),
  );
  return CODINGS.find((coding) => named.has(coding));
}
