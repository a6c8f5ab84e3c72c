/**
 * The readiness of a gateway, for load balancers and alerts.
 *
 * @module
 */

import { jsonAnswer, respond } from "../answer.ts";

/** Why a gateway is not ready. */
export const UNREADY_CODES = [
  "store_rolled_back",
  "storage_failed",
  "shutting_down",
  "standby",
  "store_corrupt",
  "signer_unavailable",
  "witnesses_unavailable",
  "signing_stalled",
  "publishing_stalled",
  "clocks_disagree",
  "witnesses_missing",
  "issuer_unreachable",
  "publishing_late",
  "anchor_overdue",
] as const;

export type UnreadyCode = typeof UNREADY_CODES[number];

export interface UnreadyReason {
  readonly code: UnreadyCode;
  /** For a person. */
  readonly detail: string;
}

/** A problem that the operator should fix, but that leaves the gateway ready. */
export interface ReadinessWarning extends Omit<UnreadyReason, "code"> {
  readonly code: "clocks_disagree" | "disk_nearly_full" | "tsa_certificate_expires";
}

/** The answer of `GET /ready`: 200 without a reason, 503 with all of them. */
export function readinessResponse(
  reasons: readonly UnreadyReason[],
  warnings: readonly ReadinessWarning[],
  request: Request,
): Response {
  const ready = reasons.length === 0;
  const body = { ready, reasons, ...(warnings.length > 0 && { warnings }) };
  return respond(jsonAnswer(body, ready ? 200 : 503), "never", request);
}
