/**
 * Schema of a problem (protocol.md "Errors"), for all codes that a client of the gateway can meet
 * or for
 * those of one answer.
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { ERROR_CODES, type ErrorCode } from "../../errors.ts";
import { type Problem as ProblemValue, STATUS, titleOf } from "../problem.ts";

const INTERNAL_ERROR = 500;

/** What reaches the wire: every fault that no client can have caused is told as `internal`. */
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
    description: "Names the request in the gateway's log: what to tell its operator",
  }),
}).openapi("Problem", {
  description: "Problem details (RFC 9457)",
  example: problemExample("hash_unknown"),
});

/** The problems of one answer, at least one, which have their status in common. */
export function problemOf(codes: readonly ErrorCode[]): z.ZodType {
  const [example] = codes.map(problemExample);
  return Problem.extend({ code: z.enum(codes) }).openapi({ example });
}

/** A problem with `code` as a client may meet it. */
function problemExample(code: ErrorCode): ProblemValue {
  return {
    type: `urn:countersign:problem:${code}`,
    title: titleOf(code),
    status: STATUS[code],
    detail: "Cannot answer: one thing required, found another",
    instance: "/v1/attestations",
    code,
    request_id: "5f0c1b9d2a7e4c38",
  };
}
