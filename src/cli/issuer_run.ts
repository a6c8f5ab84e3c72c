/**
 * Starts an issuer with the permissions that it needs, prints its entry for a gateway's configuration, or
 * creates an API key.
 *
 * @module
 */

import { base64UrlOf } from "../base/bytes.ts";
import { systemClock, unixSeconds } from "../base/clock.ts";
import { randomToken } from "../proof/crypto/secrets.ts";
import { apiKeyDigest } from "../gateway/tokens/api_keys.ts";
import type { IssuerSecret } from "../gateway/tokens/issuer_key.ts";
import { lasting } from "../gateway/tokens/key_schedule.ts";
import { runConfined } from "../server/roles/confined_role.ts";
import type { CliIo } from "../server/io.ts";
import { addApiKey, readIssuer, readKeys } from "../server/issuer/issuer_folder.ts";
import type { IssuerOptions } from "../server/roles/role_options.ts";
import { permissionsOf } from "../server/roles/role_permissions.ts";
import { issuerReach } from "../server/roles/role_reach.ts";
import { ALL_PERMISSIONS } from "./cli_process.ts";
import type { CommandContext } from "./command_context.ts";

interface IssuerCommandOptions extends IssuerOptions {
  readonly printAdmission: boolean;
  /** The name of an API key to create, and its budget. */
  readonly newApiKey?: string | undefined;
  readonly perDay?: number | undefined;
}

/** Serves until SIGINT or SIGTERM, unless an option asks for something else. */
export async function runIssuer(
  options: IssuerCommandOptions,
  { io, process }: CommandContext,
): Promise<number> {
  const { data, newApiKey: name, perDay } = options;
  if (options.printAdmission) return await printAdmission(data, io);
  if (name !== undefined) return await newApiKey({ data, name, perDay }, io);
  const start: IssuerOptions = { ...options, data: io.resolvePath(data) };
  return await runConfined(
    { role: "issuer", options: start },
    permissionsOf(issuerReach(start)),
    () => process.dropPermissions(ALL_PERMISSIONS),
  );
}

/** Prints the entry in `admission.issuers` of a gateway's network.json for the issuer in `data`. */
export async function printAdmission(data: string, io: CliIo): Promise<number> {
  const folder = io.resolvePath(data);
  const { name, url } = await readIssuer(folder);
  const keys = lasting(await readKeys(folder), unixSeconds(systemClock));
  const entry = {
    name,
    url,
    token_keys: keys.map(publicMembers),
  };
  io.out(JSON.stringify([entry], undefined, 2));
  return 0;
}

function publicMembers({ tokenKey, notBefore, notAfter }: IssuerSecret) {
  return { token_key: base64UrlOf(tokenKey), not_before: notBefore, not_after: notAfter };
}

/** Creates an API key, prints it once and stores its hash. A running issuer must be restarted. */
export async function newApiKey(
  { data, name, perDay }: {
    readonly data: string;
    readonly name: string;
    readonly perDay?: number | undefined;
  },
  io: CliIo,
): Promise<number> {
  const key = randomToken();
  await addApiKey(io.resolvePath(data), {
    name,
    sha256: apiKeyDigest(key),
    perDay,
  });
  io.out(key);
  io.err("The key is not shown again. Restart the issuer to use it.");
  return 0;
}
