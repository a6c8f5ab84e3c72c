/**
 * Schemas of problems (protocol.md "Errors"): one for every code that a client can receive, and one
 * for the codes of a single response.
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { ERROR_CODES, type ErrorCode } from "../../errors.ts";
import { type Problem as ProblemValue, STATUS, titleOf } from "../problem.ts";

const INTERNAL_ERROR = 500;

/** Codes that a client can receive. Every other fault of the gateway is sent as `internal`. */
const WIRE_CODES = ERROR_CODES.filter((code) =>
  STATUS[code] !== INTERNAL_ERROR || code === "internal"
);

export const Problem = z.object({
  type: z.string().regex(/^urn:countersign:problem:[a-z0-9_]+$/),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  instance: z.string().optional().openapi({ description: "Path of the request" }),
  code: z.enum(WIRE_CODES),
  request_id: z.string().regex(/^[0-9a-f]{16}$/).openapi({
    description: "Id of the request in the gateway's log; quote it when you contact the operator",
  }),
}).openapi("Problem", {
  description: "Problem details (RFC 9457)",
  example: problemExample("hash_unknown"),
});

/** Problem with one of `codes`, which share a status. Expects at least one code. */
export function problemOf(codes: readonly ErrorCode[]): z.ZodType {
  const [example] = codes.map(problemExample);
  return Problem.extend({ code: z.enum(codes) }).openapi({ example });
}

function problemExample(code: ErrorCode): ProblemValue {
  return {
    type: `urn:countersign:problem:${code}`,
    title: titleOf(code),
    status: STATUS[code],
    detail: "A sentence about this error",
    instance: "/v1/attestations",
    code,
    request_id: "5f0c1b9d2a7e4c38",
  };
}
