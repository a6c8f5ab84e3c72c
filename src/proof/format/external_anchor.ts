/**
 * An external anchor as bundles and `GET /v1/anchors/{hash}` show it (protocol.md "Resources").
 *
 * @module
 */

import type { ErrorCode } from "../../base/errors.ts";
import { SERVICE } from "./names.ts";
import { ANY_JSON, HASH, HASH_PATH, list, object, type Of, text, time } from "./schema.ts";
import { TREE_HEAD } from "./tree_head.ts";

export const EXTERNAL_ANCHOR = object({
  provider: text("Kind of service"),
  // Nothing covers the name: it tells anchors apart, and no verdict depends on it.
  service: SERVICE.optional(),
  status: text("State of the proof, as the provider names it"),
  timestamp: time("Time of the anchor, as the service states it"),
  tree_head: TREE_HEAD,
  consistency_path: HASH_PATH,
  digest: HASH,
  proof: ANY_JSON.with({ description: "Proof in the provider's format" }),
}).named("ExternalAnchor", {
  description: "Proof of an external service over SHA-256(checkpoint body)",
});

/** A proof by a service outside the federation over SHA-256(checkpoint body of `tree_head`). */
export type ExternalAnchor = Of<typeof EXTERNAL_ANCHOR>;

export const EXTERNAL_ANCHORS = list(EXTERNAL_ANCHOR);

/** Parses a JSON list of external anchors; refused with `code`. */
export function parseExternalAnchors(text: string, code: ErrorCode): readonly ExternalAnchor[] {
  return EXTERNAL_ANCHORS.parseText(text, { where: "anchors", code });
}
