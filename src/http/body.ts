/**
 * Reads the body of a request within bounds, and what JSON says in it.
 *
 * @module
 */

import type { z } from "@hono/zod-openapi";
import { type Bytes, concat, textOf } from "../bytes.ts";
import { CountersignError, hasCode } from "../errors.ts";
import { parseStrictJson } from "../format/strict_json.ts";

/** Bytes of a body (contract B5). */
export const BODY_LIMIT = 64 * 1024;
export const BULK_BODY_LIMIT = 1024 * 1024;

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;
const DIGITS = /^[0-9]{1,15}$/;

/** Refuses with `unsupported_media_type` a body that says it is no JSON. */
export function requireJson(headers: Headers): void {
  const type = headers.get("content-type");
  if (type === "application/json" || type === null || JSON_TYPE.test(type)) return;
  throw new CountersignError(
    "unsupported_media_type",
    "Cannot read body: application/json required, found another media type",
  );
}

/**
 * The whole body; `body_too_large` above `limit` bytes, of which no more than `limit` and one chunk
 * were read, and `malformed_request` when the client broke off.
 */
export async function readBody(request: Request, limit: number): Promise<Bytes> {
  const length = request.headers.get("content-length");
  if (length !== null && DIGITS.test(length)) {
    if (Number(length) > limit) throw tooLarge(limit);
    return await whole(request.bytes());
  }
  return await whole(readStream(request.body, limit));
}

/** The text of a JSON body; `malformed_json` when it is not UTF-8. */
export function jsonTextOf(body: Uint8Array): string {
  try {
    return textOf(body);
  } catch (cause) {
    throw new CountersignError("malformed_json", "Cannot read JSON: UTF-8 required", { cause });
  }
}

/**
 * What `schema` makes of a JSON body: `malformed_json`, `malformed_hash` when what is wrong is the
 * text or place of a hash, otherwise `malformed_request`.
 */
export function parseBody<S extends z.ZodType>(body: Uint8Array, schema: S): z.output<S> {
  const value = parseStrictJson(jsonTextOf(body), "malformed_json");
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const path = error.issues[0]?.path ?? [];
  if (path[0] === "hash" || (path[0] === "hashes" && path.length === 2)) {
    throw new CountersignError(
      "malformed_hash",
      `Cannot read request: 64 lowercase hex digits in ${placeOf(path)} required, found otherwise`,
    );
  }
  throw new CountersignError(
    "malformed_request",
    `Cannot read request: ${placeOf(path)} as the schema says required, found otherwise`,
  );
}

async function whole(reading: Promise<Bytes>): Promise<Bytes> {
  try {
    return await reading;
  } catch (cause) {
    if (hasCode(cause, "body_too_large")) throw cause;
    throw new CountersignError("malformed_request", "Cannot read body: a whole one required", {
      cause,
    });
  }
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the stream.
  for await (const chunk of stream ?? []) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return concat(...chunks);
}

function tooLarge(limit: number): CountersignError {
  return new CountersignError(
    "body_too_large",
    `Cannot read body: at most ${limit} bytes required, found more`,
  );
}

/** `hashes[3]` of the path `["hashes", 3]`. */
function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "an object";
  return path.map((part, i) =>
    typeof part === "number" ? `[${part}]` : `${i ? "." : ""}${String(part)}`
  )
    .join("");
}
