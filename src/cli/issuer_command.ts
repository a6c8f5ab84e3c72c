/**
 * `countersign issuer`: runs an issuer with access to its folder and port only, prints its admission
 * entries or creates an API key.
 *
 * @module
 */

import { base64UrlOf } from "../bytes.ts";
import { systemClock, unixSeconds } from "../clock.ts";
import type { IssuerNode } from "../config/issuer_node.ts";
import { readIssuerKeyFile } from "../config/issuer_key_file.ts";
import { randomToken } from "../crypto/secrets.ts";
import { TOKEN_TYPE } from "../format/privacy_pass.ts";
import { apiKeyDigest } from "../issuer/api_keys.ts";
import type { IssuerSecret } from "../issuer/issuer_secret.ts";
import { directoryOrder, lasting } from "../issuer/key_schedule.ts";
import type { CliIo } from "../server/io.ts";
import { addApiKey, keyFiles, readIssuer } from "../server/issuer_folder.ts";
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

/** A key and the file that it is in. */
interface FiledSecret extends IssuerSecret {
  readonly file: string;
}

/**
 * Prints what `admission.issuers` of a gateway's network.json has to say of the issuer in the folder
 * `data`, as typed: public keys of type 2, and the places of private ones of type 1.
 */
export async function printAdmission(data: string, io: CliIo): Promise<number> {
  const folder = io.resolvePath(data);
  const node = await readIssuer(folder);
  const files = await keyFiles(folder);
  const secrets = await Promise.all(
    files.map(async (file) => ({ ...await readIssuerKeyFile(file), file })),
  );
  const keys = directoryOrder(lasting(secrets, unixSeconds(systemClock)));
  io.out(JSON.stringify(admissionEntries(node, keys), undefined, 2));
  return 0;
}

function admissionEntries({ name, url, tokenTypes }: IssuerNode, keys: readonly FiledSecret[]) {
  return tokenTypes.map((tokenType) => {
    const used = keys.filter((key) => key.tokenType === tokenType);
    return {
      name,
      ...(url !== undefined && { url }),
      token_type: tokenType,
      ...(tokenType === TOKEN_TYPE.voprf
        ? { key_files: used.map(({ file }) => file) }
        : { token_keys: used.map(publicMembers) }),
    };
  });
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
