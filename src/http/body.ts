/**
 * Reads request bodies and parses their JSON.
 *
 * @module
 */

import type { z } from "@hono/zod-openapi";
import type { ClientKey } from "../limits/token_buckets.ts";
import { type Bytes, textOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { BodyReader } from "./body_reader.ts";
import { MAX_VALUES } from "./limits.ts";

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

/** Refuses with `unsupported_media_type` another Content-Type than JSON. None counts as JSON. */
export function requireJson(headers: Headers): void {
  const type = headers.get("content-type");
  if (type === "application/json" || type === null || JSON_TYPE.test(type)) return;
  throw new CountersignError(
    "unsupported_media_type",
    "Cannot read body: send application/json",
  );
}

/** Reads the bodies of all requests to this process. Its listeners call `expire()`. */
export const bodies = new BodyReader();

/** The whole body, or a refusal of {@linkcode BodyReader.read}. */
export function readBody(request: Request, limit: number, client?: ClientKey): Promise<Bytes> {
  return bodies.read(request, limit, client);
}

/** The text of a JSON body; `malformed_json` when it is not UTF-8. */
export function jsonTextOf(body: Uint8Array): string {
  try {
    return textOf(body);
  } catch (cause) {
    throw new CountersignError("malformed_json", "Cannot read JSON: not UTF-8", { cause });
  }
}

/**
 * Parses a JSON body by `schema`; `malformed_json`, `malformed_hash` for a wrong hash, otherwise
 * `malformed_request`.
 */
export function parseBody<S extends z.ZodType>(body: Uint8Array, schema: S): z.output<S> {
  const value = parseStrictJson(jsonTextOf(body), "malformed_json", MAX_VALUES);
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const path = error.issues[0]?.path ?? [];
  if (path[0] === "hash" || (path[0] === "hashes" && path.length === 2)) {
    throw new CountersignError(
      "malformed_hash",
      `Cannot read request: ${nameOf(path)} must be 64 lowercase hex digits`,
    );
  }
  throw new CountersignError(
    "malformed_request",
    `Cannot read request: ${nameOf(path)} does not match the schema (GET /openapi.json)`,
  );
}

/** `hashes[3]` for the path `["hashes", 3]`. */
function nameOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the body";
  return path.map((part, i) =>
    typeof part === "number" ? `[${part}]` : `${i ? "." : ""}${String(part)}`
  )
    .join("");
}
