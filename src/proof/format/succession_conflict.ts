/**
 * Evidence that a network has two successions of one configuration (verification.md "Succession").
 *
 * @module
 */

import { NETWORK_ID } from "./names.ts";
import { object, type Of, time } from "./schema.ts";
import { SUCCESSION_LINK } from "./succession.ts";

export const SUCCESSION_CONFLICT = object({
  origin: NETWORK_ID,
  found_at: time("When it was found; not signed"),
  first: SUCCESSION_LINK,
  second: SUCCESSION_LINK,
}).named("SuccessionConflict", {
  description: "Two links of one configuration that lead to different successors or trees",
});

/** Two links of one configuration that lead to different successors or trees. */
export type SuccessionConflict = Of<typeof SUCCESSION_CONFLICT>;

/** What a verified conflict proves, as every report says it. */
export function conflictText(
  { origin, first }: Pick<SuccessionConflict, "origin" | "first">,
): string {
  return `${origin} has two successions of epoch ${first.predecessor.epoch}, both signed by its ` +
    "witnesses";
}
