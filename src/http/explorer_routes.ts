/**
 * Serves the explorer's page: the document at `/`, its files below `/assets/`. No part of the API
 * and of its document.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { CACHE_CONTROL, type Caching, matches } from "./answer.ts";
import { type Coding, CODINGS, type PageFile, type PageFiles } from "./explorer_assets.ts";
import { problemResponse } from "./problem.ts";
import type { RequestContext } from "./request_context.ts";

/**
 * The page runs its own scripts, styles and WebAssembly modules and asks its own site, and nothing
 * else: not even an inline style.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Of all files: their names are those of their content. */
const FILE_ROUTE = "/{file}";

const ALLOW = "GET, HEAD";

/** The answer to a request for a file of the page; `undefined` where its path names none. */
export function answerPage(
  files: PageFiles,
  context: RequestContext,
): Promise<Response> | undefined {
  const { request, path } = context;
  const file = files.get(path);
  if (file === undefined) return undefined;
  context.route = FILE_ROUTE;
  if (request.method !== "GET" && request.method !== "HEAD") {
    const error = new CountersignError(
      "method_not_allowed",
      `Cannot answer: one of the methods ${ALLOW} required, found another`,
    );
    return Promise.resolve(problemResponse(error, context, { headers: { Allow: ALLOW } }));
  }
  return respond(file, path === "/" ? "revalidate" : "immutable", context);
}

async function respond(
  file: PageFile,
  caching: Caching,
  context: RequestContext,
): Promise<Response> {
  const { request } = context;
  const coding = codingFor(request.headers.get("Accept-Encoding"));
  const etag = `"${file.digest}${coding === undefined ? "" : `-${coding}`}"`;
  const headers: Record<string, string> = {
    "Cache-Control": CACHE_CONTROL[caching],
    "Content-Security-Policy": POLICY,
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

/** Our best coding that `accepted`, a list of RFC 9110 section 12.5.3, names without a weight of 0. */
function codingFor(accepted: string | null): Coding | undefined {
  const named = new Set(
    (accepted ?? "").split(",").map((entry) => entry.trim().toLowerCase())
      .filter((entry) => !/;\s*q=0(\.0*)?$/.test(entry))
      .map((entry) => entry.split(";")[0]!.trim()),
  );
  return CODINGS.find((coding) => named.has(coding));
}
