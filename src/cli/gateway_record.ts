/**
 * The remembered network of a gateway, in `gateways/<name>.json`. The name is the first 32 hex digits
 * of the SHA-256 of the URL.
 *
 *     {"version": 1, "gateway": "https://log.example/", "network_id": "log.example"}
 *
 * A gateway states its own network, so its answer alone must never choose a pin or a token supply.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { CountersignError } from "../base/errors.ts";
import { Fields } from "../proof/format/fields.ts";
import { isNetworkId } from "../proof/format/names.ts";
import { parseStrictJson } from "../proof/format/strict_json.ts";

export interface GatewayRecord {
  /** Its URL, normalised by `parseServiceUrl`. */
  readonly gateway: string;
  readonly networkId: string;
}

const VERSION = 1;
const CODE = "malformed_configuration";
const NAME_LENGTH = 32;

/** The file name of a gateway's URL, without its suffix. */
export function gatewayFileName(gateway: string): string {
  return createHash("sha256").update(gateway).digest("hex").slice(0, NAME_LENGTH);
}

export function encodeGatewayRecord({ gateway, networkId }: GatewayRecord): string {
  return `${JSON.stringify({ version: VERSION, gateway, network_id: networkId })}\n`;
}

/** The record of JSON `text`; `malformed_configuration`, `format_unsupported`. */
export function parseGatewayRecord(text: string): GatewayRecord {
  const context = { where: "gateway record", code: CODE } as const;
  const value = parseStrictJson(text, CODE);
  requireVersion(new Fields(value, context, ["version"], { ignoreUnknown: true }), VERSION);
  const fields = new Fields(value, context, ["version", "gateway", "network_id"]);
  const networkId = fields.text("network_id");
  if (!isNetworkId(networkId)) {
    throw new CountersignError(
      CODE,
      "Cannot read gateway record: network_id is not a network id",
    );
  }
  return { gateway: fields.text("gateway"), networkId };
}

/** Requires `version` to be `known`; `format_unsupported`. */
export function requireVersion(fields: Fields, known: number): void {
  const found = fields.integer("version");
  if (found === known) return;
  throw new CountersignError(
    "format_unsupported",
    `Cannot read ${fields.where}: its version is ${found}, this program reads version ${known} ` +
      "(use the version of countersign that wrote it, or a later one)",
  );
}
