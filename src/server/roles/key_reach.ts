/**
 * The resources behind key files that refer to keys elsewhere.
 *
 * @module
 */

import type { SecretSource } from "../../config/settings.ts";
import { readKeyReference } from "../../config/key_file.ts";
import type { KeyReference } from "../../config/key_reference.ts";
import { socketPath } from "../../config/remote_signer.ts";
import { permissionsOf, type RolePermissions } from "./role_permissions.ts";

/**
 * The permissions that the key files at `paths` need beyond reading them. Files that do not exist need
 * none; `file_failed`, `invalid_key` or `invalid_configuration` for others that cannot be used.
 */
export async function keyPermissions(paths: readonly string[]): Promise<RolePermissions> {
  const references = await Promise.all(paths.map(readKeyReference));
  return permissionsOfKeys(references.filter((one) => one !== undefined));
}

export function permissionsOfKeys(references: readonly KeyReference[]): RolePermissions {
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
