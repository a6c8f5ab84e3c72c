/**
 * Parses the JSON of request bodies.
 *
 * @module
 */

import { textOf } from "../base/bytes.ts";
import { CountersignError, expectedError } from "../base/errors.ts";
import { Mismatch, type Schema } from "../proof/format/schema.ts";
import { parseStrictJson } from "../proof/format/strict_json.ts";
import { MAX_VALUES } from "./limits.ts";

/** Refuses with `unsupported_media_type` another Content-Type than JSON, and an encoded body. */
export function requireJson(headers: Headers): void {
  requireMediaType(headers, "application/json");
}

/**
 * Refuses with `unsupported_media_type` another Content-Type than `mediaType`, and an encoded body. None
 * counts as `mediaType`.
 */
export function requireMediaType(headers: Headers, mediaType: string): void {
  const coding = headers.get("content-encoding");
  if (coding !== null && coding.trim().toLowerCase() !== "identity") {
    throw new CountersignError(
      "unsupported_media_type",
      "Cannot read body: send it without Content-Encoding",
    );
  }
  if (headers.get("content-type") === null || hasMediaType(headers, mediaType)) return;
  throw new CountersignError(
    "unsupported_media_type",
    `Cannot read body: send ${mediaType}`,
  );
}

/** Whether the Content-Type is `mediaType`. */
export function hasMediaType(headers: Headers, mediaType: string): boolean {
  const type = headers.get("content-type");
  if (type === mediaType) return true;
  // RFC 9110 section 8.3.1: case does not matter, and parameters may follow.
  return type !== null && new RegExp(`^${mediaType}[ \\t]*(?:;|$)`, "i").test(type);
}

/** The text of a JSON body; `malformed_json` when it is not UTF-8. */
export function jsonTextOf(body: Uint8Array): string {
  try {
    return textOf(body);
  } catch (cause) {
    const { message } = expectedError(cause);
    throw new CountersignError("malformed_json", message.replace("text", "JSON"), { cause });
  }
}

/**
 * Parses a JSON body by `schema`; `malformed_json`, `malformed_hash` for a wrong hash, otherwise
 * `malformed_request`.
 */
export function parseBody<T>(body: Uint8Array, schema: Schema<T>): T {
  const value = parseStrictJson(jsonTextOf(body), "malformed_json", MAX_VALUES);
  try {
    return schema.read(value, "", { where: "request", code: "malformed_request" });
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw malformedMember(error.path.slice(".".length));
  }
}

/** The refusal of a body for its member at `path`, such as `hashes[3]`. */
export function malformedMember(path: string): CountersignError {
  if (path === "hash" || path.startsWith("hashes[")) {
    return new CountersignError(
      "malformed_hash",
      `Cannot read request: ${path} must be 64 lowercase hex digits`,
    );
  }
  return new CountersignError(
    "malformed_request",
    `Cannot read request: ${path || "the body"} does not match the schema (GET /openapi.json)`,
  );
}
