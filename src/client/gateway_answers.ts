/**
 * Parsers of answers that the verifier does not read: a gateway's short configuration, and lists of
 * external anchors and of batches (protocol.md "Configuration", "Resources").
 *
 * @module
 */

import { BATCH, type Batch } from "../proof/format/bundle.ts";
import { SERVICE } from "../proof/format/names.ts";
import { GATEWAY_CONFIG, type GatewayConfig } from "../proof/format/public_network.ts";
import { COUNT, list, object, type Of, TEXT } from "../proof/format/schema.ts";

const CODE = "gateway_refused";
const BATCH_CODE = "malformed_bundle";

const ANCHORS = list(
  object({
    provider: TEXT,
    service: SERVICE.optional(),
    status: TEXT,
    /** Unix seconds. */
    timestamp: COUNT,
  }, "ignored"),
);

const CONSISTENT_BATCH = BATCH.map((batch) => {
  const { id, tree_size, first_index, attestation_count } = batch;
  return id === tree_size && attestation_count === tree_size - first_index ? batch : undefined;
}, "an id and a count that match the tree size");

const BATCHES = list(CONSISTENT_BATCH).map(
  (batches) => batches.every((b, i) => i === 0 || b.id < batches[i - 1]!.id) ? batches : undefined,
  "descending ids",
);

/** An entry of a list of external anchors. */
export type AnchorSummary = Of<typeof ANCHORS>[number];

/** Reads the answer of `GET /v1/config`; `gateway_refused`. */
export function parseSummary(text: string): GatewayConfig {
  return GATEWAY_CONFIG.parseText(text, { where: "configuration", code: CODE });
}

/** Reads a list of external anchors; `gateway_refused`. */
export function parseAnchors(text: string): readonly AnchorSummary[] {
  return ANCHORS.parseText(text, { where: "anchors", code: CODE });
}

/** Batches as listed, which the audit compares with the log; `malformed_bundle`. */
export function parseBatchList(text: string): readonly Batch[] {
  return list(BATCH).parseText(text, { where: "batches", code: BATCH_CODE });
}

/** Batches with descending ids and consistent members; `malformed_bundle`. */
export function parseBatches(text: string): readonly Batch[] {
  return BATCHES.parseText(text, { where: "batches", code: BATCH_CODE });
}

/** A batch with consistent members; `malformed_bundle`. */
export function parseBatch(text: string): Batch {
  return CONSISTENT_BATCH.parseText(text, { where: "batch", code: BATCH_CODE });
}
