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
import { settings } from "../config/settings.ts";
import { isNetworkId } from "../proof/format/names.ts";
import { COUNT, type Of, type Schema, TEXT } from "../proof/format/schema.ts";

/** The version of the files here and of token supplies. */
export const FILE_VERSION = 1;
const NAME_LENGTH = 32;

/**
 * Refuses other versions with `format_unsupported`. Read before all other members, which another
 * version may lack.
 */
const VERSION: Schema<number> = COUNT.convert((version, where) => {
  if (version === FILE_VERSION) return version;
  throw new CountersignError(
    "format_unsupported",
    `Cannot read ${where}: it is ${version}, this program reads ${FILE_VERSION} ` +
      "(use the version of countersign that wrote it, or a later one)",
  );
});

/** Members of the files. */
export const OWNER_MEMBERS = {
  version: VERSION,
  /** A URL, normalised by `parseServiceUrl`. */
  gateway: TEXT,
  network_id: TEXT.map((text) => isNetworkId(text) ? text : undefined, "a network id"),
};

const RECORD = settings(OWNER_MEMBERS);

export type GatewayRecord = Omit<Of<typeof RECORD>, "version">;

/** The file name of a gateway's URL, without its suffix. */
export function gatewayFileName(gateway: string): string {
  return createHash("sha256").update(gateway).digest("hex").slice(0, NAME_LENGTH);
}

export function encodeGatewayRecord({ gateway, networkId }: GatewayRecord): string {
  return `${JSON.stringify({ version: FILE_VERSION, gateway, network_id: networkId })}\n`;
}

/** The record of JSON `text`; `malformed_configuration`, `format_unsupported`. */
export function parseGatewayRecord(text: string): GatewayRecord {
  return RECORD.parseText(text, { where: "gateway record", code: "malformed_configuration" });
}
