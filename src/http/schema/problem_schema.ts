/**
 * Schemas of problems (protocol.md "Errors"): one for every code that a client can receive, and one
 * for the codes of a single response.
 *
 * @module
 */

import { ERROR_CODES, type ErrorCode } from "../../base/errors.ts";
import { type Components, COUNT, object, oneOf, pattern, TEXT } from "../../proof/format/schema.ts";
import type { JsonObject } from "../../proof/format/strict_json.ts";
import { STATUS, titleOf } from "../problem.ts";

const INTERNAL_ERROR = 500;

/** Codes that a client can receive. Every other fault of the gateway is sent as `internal`. */
const WIRE_CODES = ERROR_CODES.filter((code) =>
  STATUS[code] !== INTERNAL_ERROR || code === "internal"
);

export const PROBLEM = object({
  type: pattern(/^urn:countersign:problem:[a-z0-9_]+$/),
  title: TEXT,
  status: COUNT.with({ minimum: 400, maximum: 599 }),
  detail: TEXT,
  code: oneOf(WIRE_CODES),
  request_id: pattern(/^[0-9a-f]{16}$/).with({
    description: "Id of the request in the gateway's log; quote it when you contact the operator",
  }),
}, "allowed").named("Problem", {
  description: "Problem details (RFC 9457)",
  example: problemExample("hash_unknown"),
});

/** Describes a problem with one of `codes`, which share a status. Expects at least one code. */
export function describeProblem(codes: readonly ErrorCode[], components: Components): JsonObject {
  const code = { type: "string", enum: codes };
  return {
    allOf: [PROBLEM.describe(components), { type: "object", properties: { code } }],
    example: problemExample(codes[0]!),
  };
}

function problemExample(code: ErrorCode): JsonObject {
  return {
    type: `urn:countersign:problem:${code}`,
    title: titleOf(code),
    status: STATUS[code],
    detail: "A sentence about this error",
    code,
    request_id: "5f0c1b9d2a7e4c38",
  };
}
