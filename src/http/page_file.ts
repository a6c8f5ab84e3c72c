/**
 * Pages and their files: constant, compressed for clients that accept it.
 *
 * @module
 */

import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Bytes } from "../base/bytes.ts";
import { portableKernels } from "../proof/crypto/portable_kernels.ts";
import { CACHE_CONTROL, type Caching, matches } from "./answer.ts";
import { codingFor } from "./content_coding.ts";
import type { RequestContext } from "./request_context.ts";

/** Supported content codings, best first (RFC 9110 section 8.4.1). */
const CODINGS = ["br", "gzip"] as const;

type Coding = (typeof CODINGS)[number];

/** Each file is compressed once. The best level takes a second for all of them and saves 8 percent. */
const BROTLI_QUALITY = 11;
const GZIP_LEVEL = 9;

export interface PageFile {
  readonly mediaType: string;
  readonly bytes: Bytes;
  /** The first 32 hex digits of the content's SHA-256. */
  readonly digest: string;
  /** The content in `coding`. The first call compresses it. */
  coded(coding: Coding): Promise<Bytes>;
}

export function pageFile(mediaType: string, bytes: Bytes): PageFile {
  const cache = new Map<Coding, Promise<Bytes>>();
  return {
    mediaType,
    bytes,
    digest: portableKernels.sha256(bytes).toHex().slice(0, 32),
    coded(coding) {
      let coded = cache.get(coding);
      if (coded === undefined) cache.set(coding, coded = encode(bytes, coding));
      return coded;
    },
  };
}

async function encode(bytes: Bytes, coding: Coding): Promise<Bytes> {
  const coded = coding === "br"
    ? await promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    })
    : await promisify(gzip)(bytes, { level: GZIP_LEVEL });
  return new Uint8Array(coded);
}

/** Answers a GET or HEAD request with `file`, and charges the client for what is sent. */
export async function respondFile(
  file: PageFile,
  options: { readonly caching: Caching; readonly headers: Readonly<Record<string, string>> },
  context: RequestContext,
): Promise<Response> {
  const { request } = context;
  const coding = codingFor(request.headers.get("Accept-Encoding"), CODINGS);
  const etag = `"${file.digest}${coding === undefined ? "" : `-${coding}`}"`;
  const headers: Record<string, string> = {
    ...options.headers,
    "Cache-Control": CACHE_CONTROL[options.caching],
    "ETag": etag,
    "Vary": "Accept-Encoding",
  };
  if (matches(request.headers.get("If-None-Match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const body = coding === undefined ? file.bytes : await file.coded(coding);
  context.chargeAnswer(body.length);
  headers["Content-Type"] = file.mediaType;
  if (coding !== undefined) headers["Content-Encoding"] = coding;
  if (request.method !== "HEAD") return new Response(body, { headers });
  headers["Content-Length"] = String(body.length);
  return new Response(null, { headers });
}
