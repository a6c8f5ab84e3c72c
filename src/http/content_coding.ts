/**
 * Negotiation of content codings.
 *
 * @module
 */

import { MAX_FIELD_CHARACTERS } from "./limits.ts";

/** The first of `codings` that `accepted` names (RFC 9110 section 12.5.3) with a weight above 0. */
export function codingFor<Coding extends string>(
  accepted: string | null,
  codings: readonly Coding[],
): Coding | undefined {
  if (accepted === null || accepted.length > MAX_FIELD_CHARACTERS) return undefined;
  const named = new Set(
    accepted.split(",").map((entry) => entry.trim().toLowerCase())
      .filter((entry) => !/;\s*q=0(\.0*)?$/.test(entry))
      .map((entry) => entry.split(";")[0]!.trim()),
  );
  return codings.find((coding) => named.has(coding));
}
