/**
 * Errors for the refusals of a witness.
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../../base/errors.ts";
import { SequenceConflict } from "../../proof/format/witness_request.ts";

/** The codes of protocol.md "Witness". `overloaded`: the round is too far beyond the cosigned size. */
const REFUSALS: ReadonlySet<string> = new Set<ErrorCode>([
  "malformed_json",
  "malformed_request",
  "malformed_text",
  "body_too_large",
  "token_required",
  "token_refused",
  "network_refused",
  "log_signature_refused",
  "sequence_conflict",
  "round_conflict",
  "time_refused",
  "consistency_refused",
  "beacon_refused",
  "epoch_mismatch",
  "overloaded",
  "signer_unavailable",
]);

/**
 * The error for refusal `code` of witness `id`: the same code if a witness may send it, otherwise
 * `witness_refused`. `storage_failed` becomes `witness_storage_failed`, since the gateway has the first
 * code too. A `sequence_conflict` with the witness's cosigned `size` is a {@linkcode SequenceConflict}.
 * No text from the witness enters a message.
 */
export function witnessRefusal(
  id: string,
  code: string | undefined,
  { size, ...options }: ErrorOptions & { readonly size?: number | undefined } = {},
): CountersignError {
  const message = `Witness ${id} refused the request`;
  if (code === "sequence_conflict" && size !== undefined) {
    return new SequenceConflict(size, message, options);
  }
  if (code === "storage_failed") {
    return new CountersignError("witness_storage_failed", message, options);
  }
  return new CountersignError(isRefusal(code) ? code : "witness_refused", message, options);
}

function isRefusal(code: string | undefined): code is ErrorCode {
  return code !== undefined && REFUSALS.has(code);
}
