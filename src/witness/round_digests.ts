/**
 * The digests that a round may have.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, isCount } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { MAX_ROUND_SIZE } from "../format/round.ts";
import { areDistinct } from "./distinct_digests.ts";

/** `malformed_request` unless `digests` are 1 to 512 distinct ones. */
export function checkDigests(first: number, digests: Bytes): void {
  const count = digests.length / HASH_LENGTH;
  if (!isCount(count) || count < 1 || count > MAX_ROUND_SIZE) {
    const reason = `it has ${digests.length} bytes of hashes, not 1 to ${MAX_ROUND_SIZE} hashes`;
    throw refuseRound("malformed_request", reason);
  }
  if (!isCount(first) || !isCount(first + (count - 1))) {
    throw refuseRound("malformed_request", "its sequences are not in [0, 2^53)");
  }
  if (!areDistinct(digests)) throw refuseRound("malformed_request", "it has a hash twice");
}

export function refuseRound(
  code: "network_refused" | "malformed_request",
  reason: string,
): CountersignError {
  return new CountersignError(code, `Cannot sign round: ${reason}`);
}
