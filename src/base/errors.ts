/**
 * The one error class, with a closed vocabulary of codes. Clients and tests switch on `code`,
 * never on the message; `src/http/problem.ts` maps each code to a status.
 *
 * @module
 */

export const ERROR_CODES = [
  // Faults of a request.
  "malformed_hash",
  "malformed_json",
  "malformed_parameter",
  "malformed_request",
  "body_too_large",
  "unsupported_media_type",
  "method_not_allowed",
  "misdirected_request",
  // A resource does not exist.
  "route_not_found",
  "hash_unknown",
  "not_confirmed",
  "not_batched",
  "tree_size_not_published",
  "batch_not_found",
  "tile_not_found",
  "no_tree_head",
  // Temporary conditions and faults of the service.
  "rate_limited",
  "overloaded",
  "shutting_down",
  "standby",
  "log_ended",
  "store_rolled_back",
  "storage_failed",
  "internal",
  // Bearer tokens of operators and peers, and tokens of issuers.
  "token_required",
  "token_refused",
  "token_invalid",
  "token_expired",
  "token_spent",
  // API keys of a private gateway.
  "api_key_required",
  "api_key_refused",
  // Refusals of an issuer of tokens (RFC 9578 sections 5.3 and 6.3).
  "work_refused",
  "token_request_refused",
  // Refusals of a witness (protocol.md "Witness").
  "network_refused",
  "origin_unknown",
  "time_refused",
  "sequence_conflict",
  "round_conflict",
  "tree_size_conflict",
  "log_signature_refused",
  "consistency_refused",
  "beacon_refused",
  "epoch_mismatch",
  // Refusals of a peer network's tree head.
  "tree_head_refused",
  "tree_heads_contradict",
  "witnesses_unavailable",
  // Faults of a text, file or configuration.
  "malformed_text",
  "malformed_bundle",
  "malformed_configuration",
  "invalid_configuration",
  "invalid_key",
  // Faults reported to operators and users of the command line.
  "usage",
  "interrupted",
  "file_failed",
  "data_in_use",
  "address_in_use",
  "network_changed",
  "store_copied",
  "pin_differs",
  "format_unsupported",
  "witness_state_missing",
  "configuration_missing",
  "gateway_unreachable",
  "gateway_refused",
  "witness_unreachable",
  "witness_refused",
  "witness_storage_failed",
  "signer_unavailable",
  "peer_unreachable",
  "peer_refused",
  "anchor_unreachable",
  "anchor_refused",
  "timestamp_refused",
  "beacon_unavailable",
  "issuer_unreachable",
  "issuer_refused",
  "tokens_missing",
  "webhook_unreachable",
  "threshold_not_met",
  "proof_refused",
  // Faults that stop the process; it recovers from storage at the next start.
  "fence_lost",
  "store_corrupt",
] as const;

/** A code of the closed vocabulary. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The one error class. Messages say what failed, why, and what to do. */
export class CountersignError extends Error {
  override readonly name = "CountersignError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Builds the errors of one action: `const malformed = errorBuilder("malformed_request", "Cannot read
 * body")`, then `throw malformed("it is too large")`.
 */
export function errorBuilder(
  code: ErrorCode,
  failure: string,
): (reason: string, options?: ErrorOptions) => CountersignError {
  return (reason, options) => new CountersignError(code, `${failure}: ${reason}`, options);
}

/** True if `error` is a {@linkcode CountersignError} with `code`. */
export function hasCode(error: unknown, code: ErrorCode): error is CountersignError {
  return error instanceof CountersignError && error.code === code;
}

/** `error`, if it is a {@linkcode CountersignError}; rethrows any other one, which is a bug. */
export function expectedError(error: unknown): CountersignError {
  if (error instanceof CountersignError) return error;
  throw error;
}

/** The result of `parse`; `undefined` if it throws a {@linkcode CountersignError}. */
export function tryParse<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    expectedError(error);
    return undefined;
  }
}
