/**
 * The resources behind key files that refer to keys elsewhere.
 *
 * @module
 */

import { hasCode } from "../../base/errors.ts";
import type { SecretSource } from "../../config/settings.ts";
import {
  isKeyReference,
  type KeyReference,
  parseKeyReference,
} from "../../config/key_reference.ts";
import { readPrivateFile } from "../../config/private_file.ts";
import {
  parseTimestampKeyReference,
  type TimestampKeyReference,
} from "../../config/timestamp_key_reference.ts";
import { socketPath } from "../../config/remote_signer.ts";
import { permissionsOf, type RolePermissions } from "./role_permissions.ts";

/**
 * The permissions that the key files at `paths` need beyond reading them. Files that do not exist need
 * none; `file_failed`, `invalid_key` or `invalid_configuration` for others that cannot be used.
 */
export function keyPermissions(paths: readonly string[]): Promise<RolePermissions> {
  return permissionsOfFiles(paths, parseKeyReference);
}

/** The same for key files of time-stamp authorities. */
export function timestampKeyPermissions(paths: readonly string[]): Promise<RolePermissions> {
  return permissionsOfFiles(paths, parseTimestampKeyReference);
}

async function permissionsOfFiles(
  paths: readonly string[],
  parse: (text: string, path: string) => KeyReference | TimestampKeyReference,
): Promise<RolePermissions> {
  const texts = await Promise.all(paths.map(readIfExists));
  const references = texts.flatMap((text, i) =>
    text !== undefined && isKeyReference(text) ? [parse(text, paths[i]!)] : []
  );
  return permissionsOfKeys(references);
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readPrivateFile(path);
  } catch (error) {
    if (hasCode(error, "configuration_missing")) return undefined;
    throw error;
  }
}

export function permissionsOfKeys(
  references: readonly (KeyReference | TimestampKeyReference)[],
): RolePermissions {
  const secrets: SecretSource[] = references.map((one) =>
    one.where === "signer" ? one.token : one.secret.source
  );
  const urls = references.flatMap((one) => one.where === "signer" ? [one.url] : []);
  return permissionsOf({
    listeners: [],
    services: urls,
    reads: [
      ...references.flatMap((one) => one.where === "encrypted" ? [one.path] : []),
      ...secrets.flatMap((secret) => secret.kind === "file" ? [secret.path] : []),
    ],
    // To connect to a socket is to read and write it.
    writes: urls.flatMap((url) => socketPath(url) ?? []),
    variables: secrets.flatMap((secret) => secret.kind === "environment" ? [secret.name] : []),
  });
}
