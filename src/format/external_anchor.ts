/**
 * An external anchor as bundles and `GET /v1/anchors/{hash}` show it (protocol.md "Resources").
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import { Fields } from "./fields.ts";
import { isServiceName } from "./names.ts";
import { type JsonValue, parseStrictJson } from "./strict_json.ts";
import { readTreeHead, type TreeHead } from "./tree_head.ts";

/** A proof by a service outside the federation over SHA-256(checkpoint body of `tree_head`). */
export interface ExternalAnchor {
  readonly provider: string;
  /**
   * The gateway's name for the service, where it has several of this provider. Nothing covers it: it
   * tells anchors apart, and no verdict depends on it.
   */
  readonly service?: string;
  readonly status: string;
  readonly timestamp: number;
  readonly tree_head: TreeHead;
  readonly consistency_path: readonly string[];
  readonly digest: string;
  /** Of the provider's own shape. */
  readonly proof: JsonValue;
}

/** The external anchors of JSON `text`, which is a list; refused with `code`. */
export function parseExternalAnchors(text: string, code: ErrorCode): readonly ExternalAnchor[] {
  const value = parseStrictJson(text, code);
  if (!Array.isArray(value)) {
    throw new CountersignError(code, "Cannot read anchors: a list required, found another value");
  }
  return value.map((anchor, i) => readExternalAnchor(anchor, { where: `anchors[${i}]`, code }));
}

/** The external anchor `value`, which stands where `context` says. */
export function readExternalAnchor(
  value: JsonValue,
  context: { readonly where: string; readonly code: ErrorCode },
): ExternalAnchor {
  const fields = new Fields(value, context, [
    "provider",
    "status",
    "timestamp",
    "tree_head",
    "consistency_path",
    "digest",
    "proof",
  ], { optional: ["service"] });
  return {
    provider: fields.text("provider"),
    ...(fields.has("service") && { service: serviceNameIn(fields) }),
    status: fields.text("status"),
    timestamp: fields.integer("timestamp"),
    tree_head: readTreeHead(fields),
    consistency_path: fields.hashes("consistency_path"),
    digest: fields.hex("digest", HASH_LENGTH),
    proof: fields.value("proof") ?? null,
  };
}

/** Member `service` of `fields`; refused with their code unless it is a {@linkcode isServiceName}. */
export function serviceNameIn(fields: Fields): string {
  const name = fields.text("service");
  if (isServiceName(name)) return name;
  throw new CountersignError(
    fields.code,
    `Cannot read ${fields.where}: up to 40 of A-Za-z0-9._- in service required, found another text`,
  );
}
