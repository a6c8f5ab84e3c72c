/**
 * Holds an answer to the question.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";

/** Requires an answer about the hash that was asked about; `proof_refused`. */
export function requireHash(asked: string, found: string): void {
  if (asked === found) return;
  throw new CountersignError(
    "proof_refused",
    `Cannot use answer of the gateway: one about ${asked} required, found ${found}`,
  );
}
