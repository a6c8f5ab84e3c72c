/**
 * What a route answers, and the headers that say how long it holds (protocol.md "Requests").
 *
 * @module
 */

import { type Bytes, utf8 } from "../bytes.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";

/**
 * How long an answer holds. `immutable`: it never changes. `revalidate`: it may be kept, and is
 * asked about each time by its ETag. `never`: it is about this moment.
 */
export type Caching = "immutable" | "revalidate" | "never";

export const CACHE_CONTROL: Readonly<Record<Caching, string>> = {
  immutable: "public, max-age=31536000, immutable",
  revalidate: "public, no-cache",
  never: "no-store",
};

export const JSON_MEDIA_TYPE = "application/json";
export const TEXT_MEDIA_TYPE = "text/plain; charset=utf-8";
export const BYTES_MEDIA_TYPE = "application/octet-stream";

/** The body of a successful answer. */
export interface Answer {
  readonly body: string | Bytes;
  readonly mediaType: string;
  /** 200 when absent. */
  readonly status?: number;
  /** Of answers that are made once; others get theirs when they are asked for. */
  readonly etag?: string;
}

/** `value` as JSON. */
export function jsonAnswer(value: unknown, status = 200): Answer {
  return { body: JSON.stringify(value), mediaType: JSON_MEDIA_TYPE, status };
}

/** An answer that is the same for the life of the process. */
export function constantAnswer(answer: Answer): Answer {
  return { ...answer, etag: etagOf(answer.body) };
}

/** The response to `request`: 304 when it names the entity tag of what would be answered. */
export function respond(answer: Answer, caching: Caching, request: Request): Response {
  const headers: Record<string, string> = { "Cache-Control": CACHE_CONTROL[caching] };
  if (caching === "revalidate") {
    headers["ETag"] = answer.etag ?? etagOf(answer.body);
    if (matches(request.headers.get("If-None-Match"), headers["ETag"])) {
      return new Response(null, { status: 304, headers });
    }
  }
  headers["Content-Type"] = answer.mediaType;
  return new Response(answer.body, { status: answer.status ?? 200, headers });
}

/** A strong entity tag: 128 bits of the body's SHA-256. */
function etagOf(body: string | Bytes): string {
  const bytes = typeof body === "string" ? utf8(body) : body;
  return `"${portableKernels.sha256(bytes).subarray(0, 16).toHex()}"`;
}

/** The weak comparison of RFC 9110 section 13.1.2. */
export function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
