/**
 * The files of token supplies: `tokens/<network>@<gateway>.json`, 0600, named by
 * {@linkcode fileNameOf} and {@linkcode gatewayFileName}.
 *
 *     {"version": 2, "gateway": "https://log.example/", "network_id": "log.example",
 *      "tokens": [{"token": "<base64url>", "not_after": 1766275200, "shown_for": "<64 hex>"} ...]}
 *
 * Version 1 was `tokens/<network>.json` with only `{"tokens": [...]}`. It does not name the gateway, and
 * is converted when the user pins the network for a gateway.
 *
 * @module
 */

import { join } from "node:path";
import { HASH_LENGTH } from "../bytes.ts";
import type { SuppliedToken } from "../client/token_spender.ts";
import { Fields } from "../format/fields.ts";
import { parseTokenText } from "../format/privacy_pass.ts";
import { type JsonValue, parseStrictJson } from "../format/strict_json.ts";
import { gatewayFileName, type GatewayRecord, requireVersion } from "./gateway_record.ts";
import { fileNameOf, listFolder, textIfExists } from "../server/files.ts";

/** Tokens, and the gateway and network where they can be spent. */
export interface StoredSupply extends GatewayRecord {
  readonly tokens: readonly SuppliedToken[];
}

const FOLDER = "tokens";
const VERSION = 2;
const CODE = "malformed_configuration";

/** A name by {@linkcode fileNameOf}. */
const NETWORK_FILE = /^((?:[a-z0-9-]|%[2-7][0-9a-f])(?:[a-z0-9.-]|%[2-7][0-9a-f])*)\.json$/;
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

/** The networks with a supply of version 1 below `home`, ascending. `file_failed`. */
export async function ownerlessSupplies(home: string): Promise<readonly string[]> {
  const names = await listFolder(supplyFolder(home));
  return names.toSorted().flatMap((name) => {
    const [, encoded] = NETWORK_FILE.exec(name) ?? [];
    return encoded === undefined ? [] : [decodeURIComponent(encoded)];
  });
}

/** Advice about a supply of version 1 for network `id`. */
export function ownerlessText(id: string): string {
  return `stored tokens for ${id} of an earlier version have no gateway and are not used; ` +
    `to use them at a gateway of ${id} that you trust: countersign network --pin --gateway URL`;
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
    tokens: readTokens(fields, ["not_after", "shown_for"]),
  };
}

/** The tokens of a supply of version 1; `malformed_configuration`, `token_invalid`. */
export function parseOwnerlessSupply(text: string, path: string): readonly SuppliedToken[] {
  const value: JsonValue = parseStrictJson(text, CODE);
  return readTokens(new Fields(value, { where: path, code: CODE }, ["tokens"]), ["not_after"]);
}

/** The 146 bytes of a token of type 1 in base64url: its first two bytes are 0x0001. */
const TYPE_1_TOKEN = /^AAE[A-Za-z0-9_-]{192}$/;

function readTokens(fields: Fields, optional: readonly string[]): readonly SuppliedToken[] {
  return fields.list("tokens").flatMap((entry, index) => {
    const member = fields.within(entry, `tokens[${index}]`, ["token"], { optional });
    const token = member.text("token");
    // Earlier versions also stored tokens of type 1, which no gateway accepts any more.
    if (TYPE_1_TOKEN.test(token)) return [];
    parseTokenText(token);
    return [{
      token,
      ...(member.has("not_after") && { notAfter: member.integer("not_after") }),
      ...(member.has("shown_for") && { shownFor: member.hex("shown_for", HASH_LENGTH) }),
    }];
  });
}
