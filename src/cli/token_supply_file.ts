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
import { settings } from "../config/settings.ts";
import { parseTokenText } from "../proof/format/privacy_pass.ts";
import { COUNT, HASH, list, type Of, TEXT } from "../proof/format/schema.ts";
import {
  FILE_VERSION,
  gatewayFileName,
  type GatewayRecord,
  OWNER_MEMBERS,
} from "./gateway_record.ts";
import { fileNameOf, listFolder } from "../server/files.ts";
import { textIfExists } from "../server/replaced_file.ts";

const TOKEN = settings({
  token: TEXT.convert((text) => {
    parseTokenText(text);
    return text;
  }),
  not_after: COUNT.optional(),
  shown_for: HASH.optional(),
});

const SUPPLY = settings({ ...OWNER_MEMBERS, tokens: list(TOKEN) });

/** Tokens, and the gateway and network where they can be spent. */
export type StoredSupply = Omit<Of<typeof SUPPLY>, "version">;

const FOLDER = "tokens";

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
  const supply = { version: FILE_VERSION, gateway, network_id: networkId, tokens: members };
  return `${JSON.stringify(supply)}\n`;
}

/**
 * The supply of the text of the file at `path`; `malformed_configuration`, `token_invalid`,
 * `format_unsupported`.
 */
export function parseTokenSupply(text: string, path: string): StoredSupply {
  return SUPPLY.parseText(text, { where: path, code: "malformed_configuration" });
}
