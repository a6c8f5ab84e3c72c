/**
 * Parsers of answers that the verifier does not read: a gateway's short configuration, and lists of
 * external anchors and of batches (protocol.md "Configuration", "Resources").
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { BATCH, type Batch, readBatch } from "../format/bundle.ts";
import { serviceNameIn } from "../format/external_anchor.ts";
import { Fields } from "../format/fields.ts";
import { type JsonValue, parseStrictJson } from "../format/strict_json.ts";

const CODE = "gateway_refused";
const BATCH_CODE = "malformed_bundle";

/** `GET /v1/config`. */
export interface GatewaySummary {
  readonly id: string;
  readonly threshold: number;
  readonly signature_scheme: string;
  readonly witness_count: number;
}

/** An entry of a list of external anchors. */
export interface AnchorSummary {
  readonly provider: string;
  /** The gateway's name for the service, if it has several of this provider. */
  readonly service?: string;
  readonly status: string;
  /** Unix seconds. */
  readonly timestamp: number;
}

export function parseSummary(text: string): GatewaySummary {
  const fields = new Fields(
    parseStrictJson(text, CODE),
    { where: "configuration", code: CODE },
    ["id", "threshold", "signature_scheme", "witness_count"],
    { ignoreUnknown: true },
  );
  return {
    id: fields.text("id"),
    threshold: fields.integer("threshold"),
    signature_scheme: fields.text("signature_scheme"),
    witness_count: fields.integer("witness_count"),
  };
}

export function parseAnchors(text: string): readonly AnchorSummary[] {
  const value = parseStrictJson(text, CODE);
  if (!Array.isArray(value)) {
    throw new CountersignError(CODE, "Cannot read anchors: not a list");
  }
  return value.map((anchor, i) => {
    const fields = new Fields(
      anchor,
      { where: `anchors[${i}]`, code: CODE },
      ["provider", "status", "timestamp"],
      { ignoreUnknown: true },
    );
    return {
      provider: fields.text("provider"),
      ...(fields.has("service") && { service: serviceNameIn(fields) }),
      status: fields.text("status"),
      timestamp: fields.integer("timestamp"),
    };
  });
}

/** Batches as listed, which the audit compares with the log; `malformed_bundle`. */
export function parseBatchList(text: string): readonly Batch[] {
  const value = parseStrictJson(text, BATCH_CODE);
  if (!Array.isArray(value)) throw malformed("not a list");
  return value.map((entry, i) => batchOf(entry, `batches[${i}]`));
}

/** Batches with descending ids and consistent members; `malformed_bundle`. */
export function parseBatches(text: string): readonly Batch[] {
  const batches = parseBatchList(text).map(requireConsistent);
  const isOrdered = batches.every((batch, i) => i === 0 || batch.id < batches[i - 1]!.id);
  if (!isOrdered) throw malformed("their ids do not descend");
  return batches;
}

/** A batch with consistent members; `malformed_bundle`. */
export function parseBatch(text: string): Batch {
  return requireConsistent(batchOf(parseStrictJson(text, BATCH_CODE), "batch"));
}

function batchOf(value: JsonValue, where: string): Batch {
  return readBatch(new Fields(value, { where, code: BATCH_CODE }, BATCH));
}

function requireConsistent(batch: Batch): Batch {
  const { id, tree_size, first_index, attestation_count } = batch;
  if (id === tree_size && attestation_count === tree_size - first_index) return batch;
  throw malformed("an id or a count does not match the tree size");
}

function malformed(reason: string): CountersignError {
  return new CountersignError(BATCH_CODE, `Cannot read batches: ${reason}`);
}
