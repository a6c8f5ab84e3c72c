/**
 * `issuer`: runs an issuer with access to its folder and port only, prints its entry for a gateway's
 * configuration, or creates an API key.
 *
 * @module
 */

import { base64UrlOf } from "../bytes.ts";
import { systemClock, unixSeconds } from "../clock.ts";
import { randomToken } from "../crypto/secrets.ts";
import { TOKEN_TYPE } from "../format/privacy_pass.ts";
import { apiKeyDigest } from "../tokens/api_keys.ts";
import type { IssuerSecret } from "../tokens/issuer_key.ts";
import { lasting } from "../tokens/key_schedule.ts";
import { runConfined } from "../server/roles/confined_role.ts";
import type { CliIo } from "../server/io.ts";
import { addApiKey, readIssuer, readKeys } from "../server/issuer/issuer_folder.ts";
import { ISSUER_DEFAULTS, type IssuerOptions } from "../server/roles/role_options.ts";
import { permissionsOf } from "../server/roles/role_permissions.ts";
import { issuerReach } from "../server/roles/role_reach.ts";
import { ALL_PERMISSIONS } from "./cli_process.ts";
import { defineCommand } from "./define_command.ts";
import {
  count,
  defaulted,
  flag,
  FOLDER,
  listenOptions,
  logOptions,
  optional,
  textValue,
} from "./options.ts";

/** Serves until SIGINT or SIGTERM, unless an option asks for something else. */
export const issuer = defineCommand("issuer", {
  description:
    "Issues Privacy Pass tokens for API keys or proofs of work. Creates its configuration and keys if there are none.",
  options: {
    ...logOptions,
    data: defaulted(
      "--data",
      FOLDER,
      ISSUER_DEFAULTS.data,
      "Folder of configuration and keys (default: countersign-issuer).",
    ),
    ...listenOptions(ISSUER_DEFAULTS),
    name: optional("--name", textValue("NAME"), "Name of a new issuer (default: a generated one)."),
    rotate: flag("--rotate", "Publish the next keys now. They sign once the overlap has passed."),
    printAdmission: flag(
      "--print-admission",
      "Print this issuer's entry for a gateway's network.json.",
    ),
    newApiKey: optional(
      "--new-api-key",
      textValue("NAME"),
      "Create an API key, print it once and store its hash.",
    ),
    perDay: optional(
      "--per-day",
      count("COUNT", 1),
      "Tokens per day for the new key (default: unlimited).",
    ),
  },
  async run(options, { io, process }) {
    const { data, newApiKey: name, perDay } = options;
    if (options.printAdmission) return await printAdmission(data, io);
    if (name !== undefined) return await newApiKey({ data, name, perDay }, io);
    const start: IssuerOptions = { ...options, data: io.resolvePath(data) };
    return await runConfined(
      { role: "issuer", options: start },
      permissionsOf(issuerReach(start)),
      () => process.dropPermissions(ALL_PERMISSIONS),
    );
  },
});

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
