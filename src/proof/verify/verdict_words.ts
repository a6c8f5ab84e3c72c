/**
 * Words of a verdict that every report has in the same way.
 *
 * @module
 */

import type { Level } from "./verdict.ts";

/** As in "VALID (Batched)". */
export const LEVEL_NAMES: Readonly<Record<Exclude<Level, "invalid">, string>> = {
  basic: "Basic",
  batched: "Batched",
  federated: "Federated",
};

/** "2 of 2 needed signatures". */
export function signatureCountText(
  { verified, required }: { readonly verified: number; readonly required: number },
): string {
  return verified > required
    ? `${verified} signatures, ${required} needed`
    : `${verified} of ${required} needed signatures`;
}
