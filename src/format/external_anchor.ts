/**
 * External anchors in bundles and in the answer of `GET /v1/anchors/{hash}` (protocol.md
 * "Resources").
 *
 * @module
 */

import type { ErrorCode } from "../errors.ts";
import { Fields } from "./fields.ts";
import { isServiceName } from "./names.ts";
import type { JsonValue } from "./strict_json.ts";
import { readTreeHead, type TreeHead } from "./tree_head.ts";

/** A proof by a service outside the federation over SHA-256(checkpoint body of `tree_head`). */
export interface ExternalAnchor {
  readonly provider: string;
  /** The gateway's name for the service, if it has several of this provider. Unauthenticated. */
  readonly service?: string;
  readonly status: string;
  readonly timestamp: number;
  readonly tree_head: TreeHead;
  readonly consistency_path: readonly string[];
  readonly digest: string;
  /** In the provider's format. */
  readonly proof: JsonValue;
}

/** The members of an external anchor. */
export const EXTERNAL_ANCHOR = [
  ["provider", "status", "timestamp", "tree_head", "consistency_path", "digest", "proof"],
  { optional: ["service"] },
] as const;

/** Parses a JSON list of external anchors. */
export function parseExternalAnchors(text: string, code: ErrorCode): readonly ExternalAnchor[] {
  return Fields.parseList(text, { where: "anchors", code }, ...EXTERNAL_ANCHOR)
    .map(readExternalAnchor);
}

/** The external anchor whose members are `fields`. */
export function readExternalAnchor(fields: Fields): ExternalAnchor {
  return {
    provider: fields.text("provider"),
    ...(fields.has("service") && { service: serviceNameIn(fields) }),
    status: fields.text("status"),
    timestamp: fields.integer("timestamp"),
    tree_head: readTreeHead(fields),
    consistency_path: fields.hashes("consistency_path"),
    digest: fields.hash("digest"),
    proof: fields.value("proof") ?? null,
  };
}

/** Member `service` of `fields` (J9). */
export function serviceNameIn(fields: Fields): string {
  const name = fields.text("service");
  if (isServiceName(name)) return name;
  throw fields.error("service must be 1 to 40 characters of A-Za-z0-9._-");
}
