/**
 * Parsers of answers that the verifier does not read: a gateway's short configuration, and lists of
 * external anchors (protocol.md "Configuration", "Resources").
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { serviceNameIn } from "../format/external_anchor.ts";
import { Fields } from "../format/fields.ts";
import { parseStrictJson } from "../format/strict_json.ts";

const CODE = "gateway_refused";

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
