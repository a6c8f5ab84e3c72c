/**
 * The reasons that a witness may give a gateway for not signing.
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../errors.ts";
import { SequenceConflict } from "../format/sequence_conflict.ts";

/** The refusals of protocol.md "Witness", and of a round too far beyond the cosigned size. */
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
  "time_refused",
  "consistency_refused",
  "beacon_refused",
  "overloaded",
]);

/**
 * The refusal `code` of witness `id`: that code where a witness can mean it, and `witness_refused`
 * for every other. `storage_failed` of a witness becomes `witness_storage_failed`, to tell it apart
 * from the gateway's. No text of the witness enters a message. A `sequence_conflict` with the
 * `size` that
 * the witness has cosigned is a {@linkcode SequenceConflict}.
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
