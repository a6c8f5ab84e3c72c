/**
 * `countersign issuer`: runs an issuer with access to its folder and port only, prints its admission
 * entries or creates an API key.
 *
 * @module
 */

import { base64UrlOf } from "../bytes.ts";
import { systemClock, unixSeconds } from "../clock.ts";
import { randomToken } from "../crypto/secrets.ts";
import { TOKEN_TYPE } from "../format/privacy_pass.ts";
import { apiKeyDigest } from "../issuer/api_keys.ts";
import type { IssuerSecret } from "../issuer/issuer_key.ts";
import { lasting } from "../issuer/key_schedule.ts";
import type { CliIo } from "../server/io.ts";
import { addApiKey, readIssuer, readKeys } from "../server/issuer_folder.ts";
import { ALL_PERMISSIONS, type CliProcess } from "./command_context.ts";
import { runConfined } from "../server/confined_role.ts";
import type { IssuerOptions } from "../server/issuer_options.ts";
import { permissionsOf } from "../server/role_permissions.ts";
import { issuerReach } from "../server/role_reach.ts";

/** Serves until SIGINT or SIGTERM. Answers the exit code. */
export async function runIssuer(
  options: IssuerOptions,
  process: Pick<CliProcess, "io" | "dropPermissions">,
): Promise<number> {
  const start = { ...options, data: process.io.resolvePath(options.data) };
  const permissions = permissionsOf(issuerReach(start));
  return await runConfined(
    { role: "issuer", options: start },
    permissions,
    () => process.dropPermissions(ALL_PERMISSIONS),
  );
}

/**
 * Prints the entry of the issuer in the folder `data`, as typed, for `admission.issuers` of a
 * gateway's network.json.
 */
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

/**
 * Makes an API key called `name` and prints it, once: the issuer in the folder `data`, as typed, keeps
 * its hash. An issuer that runs takes it when it is started again.
 */
export async function newApiKey(
  { data, name, perDay }: {
    readonly data: string;
    readonly name: string;
    readonly perDay?: number;
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
  io.err("This is the only time that the key is shown. Start the issuer again to have it taken.");
  return 0;
}
