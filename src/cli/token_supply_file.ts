/**
 * The files of token supplies: `tokens/<network>@<gateway>.json`, 0600, named by
 * {@linkcode fileNameOf} and {@linkcode gatewayFileName}.
 *
 *     {"version": 1, "gateway": "https://log.example/", "network_id": "log.example",
 *      "tokens": [{"token": "<base64url>", "not_after": 1766275200, "shown_for": "<64 hex>"} ...]}
 *
 * @module
 */

import { join } from "node:path";
import { HASH_LENGTH } from "../base/bytes.ts";
import type { SuppliedToken } from "../client/token_spender.ts";
import { Fields } from "../proof/format/fields.ts";
import { parseTokenText } from "../proof/format/privacy_pass.ts";
import { parseStrictJson } from "../proof/format/strict_json.ts";
import { gatewayFileName, type GatewayRecord, requireVersion } from "./gateway_record.ts";
import { fileNameOf, listFolder, textIfExists } from "../server/files.ts";

/** Tokens, and the gateway and network where they can be spent. */
export interface StoredSupply extends GatewayRecord {
  readonly tokens: readonly SuppliedToken[];
}

const FOLDER = "tokens";
const VERSION = 1;
const CODE = "malformed_configuration";

const SUPPLY_FILE = /^[a-z0-9.%-]+@[0-9a-f]{32}\.json$/;

/** The folder of all supplies below `home`. */
export function supplyFolder(home: string): string {
  return join(home, FOLDER);
}

/** The name of the file of a supply, without its suffix. */
export function supplyFileName({ gateway, networkId }: GatewayRecord): string {
  return `${fileNameOf(networkId)}@${gatewayFileName(gateway)}`;
}

/** The owners of the supplies below `home`, by file name. `file_failed`. */
export async function supplyOwners(home: string): Promise<readonly GatewayRecord[]> {
  const folder = supplyFolder(home);
  const names = (await listFolder(folder)).filter((name) => SUPPLY_FILE.test(name)).toSorted();
  return await Promise.all(names.map(async (name) => {
    const path = join(folder, name);
    const { gateway, networkId } = parseTokenSupply(await textIfExists(path) ?? "", path);
    return { gateway, networkId };
  }));
}

export function encodeTokenSupply({ gateway, networkId, tokens }: StoredSupply): string {
  const members = tokens.map(({ token, notAfter, shownFor }) => ({
    token,
    ...(notAfter !== undefined && { not_after: notAfter }),
    ...(shownFor !== undefined && { shown_for: shownFor }),
  }));
  const supply = { version: VERSION, gateway, network_id: networkId, tokens: members };
  return `${JSON.stringify(supply)}\n`;
}

/**
 * The supply of the text of the file at `path`; `malformed_configuration`, `token_invalid`,
 * `format_unsupported`.
 */
export function parseTokenSupply(text: string, path: string): StoredSupply {
  const context = { where: path, code: CODE } as const;
  const value = parseStrictJson(text, CODE);
  requireVersion(new Fields(value, context, ["version"], { ignoreUnknown: true }), VERSION);
  const fields = new Fields(value, context, ["version", "gateway", "network_id", "tokens"]);
  return {
    gateway: fields.text("gateway"),
    networkId: fields.text("network_id"),
    tokens: readTokens(fields),
  };
}

function readTokens(fields: Fields): readonly SuppliedToken[] {
  const optional = ["not_after", "shown_for"];
  return fields.list("tokens").map((entry, index) => {
    const member = fields.within(entry, `tokens[${index}]`, ["token"], { optional });
    const token = member.text("token");
    parseTokenText(token);
    return {
      token,
      ...(member.has("not_after") && { notAfter: member.integer("not_after") }),
      ...(member.has("shown_for") && { shownFor: member.hex("shown_for", HASH_LENGTH) }),
    };
  });
}
