/**
 * The one error class, with a closed vocabulary of codes. Clients and tests switch on `code`,
 * never on the message; `src/http/problem.ts` maps each code to a status.
 *
 * @module
 */

export const ERROR_CODES = [
  // What a request got wrong.
  "malformed_hash",
  "malformed_json",
  "malformed_parameter",
  "malformed_request",
  "body_too_large",
  "unsupported_media_type",
  "method_not_allowed",
  "misdirected_request",
  // What was asked for and is not there.
  "route_not_found",
  "hash_unknown",
  "not_confirmed",
  "not_batched",
  "tree_size_not_published",
  "batch_not_found",
  "tile_not_found",
  "no_tree_head",
  // What the service cannot do now.
  "rate_limited",
  "overloaded",
  "shutting_down",
  "store_rolled_back",
  "storage_failed",
  "internal",
  // What a listener refuses of whoever has to show a token, and a gateway of issuer tokens.
  "token_required",
  "token_refused",
  "token_invalid",
  "token_expired",
  "token_spent",
  // What an issuer of tokens refuses (RFC 9578 sections 5.3, 6.3).
  "work_refused",
  "token_request_refused",
  // What a witness refuses (protocol.md "Witness").
  "network_refused",
  "origin_unknown",
  "time_refused",
  "sequence_conflict",
  "tree_size_conflict",
  "log_signature_refused",
  "consistency_refused",
  "beacon_refused",
  // What a gateway refuses of a peer network's tree head.
  "tree_head_refused",
  "tree_heads_contradict",
  "witnesses_unavailable",
  // What a text, file or configuration got wrong.
  "malformed_text",
  "malformed_bundle",
  "malformed_configuration",
  "invalid_configuration",
  "invalid_key",
  // What an operator or a user of the command line meets.
  "usage",
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
  "peer_unreachable",
  "peer_refused",
  "anchor_unreachable",
  "anchor_refused",
  "beacon_unavailable",
  "issuer_unreachable",
  "issuer_refused",
  "tokens_missing",
  "operator_unreachable",
  "operator_refused",
  "threshold_not_met",
  "proof_refused",
  // Faults that stop the process that meets them: recovery reloads from storage.
  "fence_lost",
  "store_corrupt",
] as const;

/** Every failure that this project reports. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The one error class. Messages say what failed, why, and what to do about it. */
export class CountersignError extends Error {
  override readonly name = "CountersignError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * For a module with several errors of one code about one action: `const malformed =
 * errorBuilder("malformed_request", "Cannot read body")`, then `throw malformed("it is too large")`.
 */
export function errorBuilder(
  code: ErrorCode,
  failure: string,
): (reason: string, options?: ErrorOptions) => CountersignError {
  return (reason, options) => new CountersignError(code, `${failure}: ${reason}`, options);
}

/** True when `error` is ours and carries `code`. */
export function hasCode(error: unknown, code: ErrorCode): error is CountersignError {
  return error instanceof CountersignError && error.code === code;
}
