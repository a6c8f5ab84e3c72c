/**
 * `issuer`: runs an issuer with access to its folder and port only, prints its entry for a gateway's
 * configuration, or creates an API key.
 *
 * @module
 */

import { base64UrlOf } from "../format/base64url.ts";
import { systemClock, unixSeconds } from "../clock.ts";
import { randomToken } from "../crypto/secrets.ts";
import { TOKEN_TYPE } from "../format/privacy_pass.ts";
import { apiKeyDigest } from "../tokens/api_keys.ts";
import type { IssuerSecret } from "../tokens/issuer_key.ts";
import { lasting } from "../tokens/key_schedule.ts";
import { runConfined } from "../server/confined_role.ts";
import type { CliIo } from "../server/io.ts";
import { addApiKey, readIssuer, readKeys } from "../server/issuer_folder.ts";
import type { IssuerOptions } from "../server/issuer_options.ts";
import { permissionsOf } from "../server/role_permissions.ts";
import { issuerReach } from "../server/role_reach.ts";
import { ALL_PERMISSIONS, type CliProcess } from "./command_context.ts";

export interface IssuerCommandOptions extends IssuerOptions {
  readonly printAdmission: boolean;
  /** Name of an API key to create. */
  readonly newApiKey?: string | undefined;
  /** Tokens per day for the new key. */
  readonly perDay?: number | undefined;
}

/** Serves until SIGINT or SIGTERM, unless an option asks for something else. Returns the exit code. */
export async function runIssuer(
  options: IssuerCommandOptions,
  process: Pick<CliProcess, "io" | "dropPermissions">,
): Promise<number> {
  const { data, newApiKey: name, perDay } = options;
  if (options.printAdmission) return await printAdmission(data, process.io);
  if (name !== undefined) return await newApiKey({ data, name, perDay }, process.io);
  const start = { ...options, data: process.io.resolvePath(data) };
  const permissions = permissionsOf(issuerReach(start));
  return await runConfined(
    { role: "issuer", options: start },
    permissions,
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
    ...(url !== undefined && { url }),
    token_type: TOKEN_TYPE,
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
    ...(perDay !== undefined && { perDay }),
  });
  io.out(key);
  io.err("The key is not shown again. Restart the issuer to use it.");
  return 0;
}
