/**
 * Whether this process may use the witnesses and keys of a configuration that it did not start with. A
 * process never gets more permissions than it started with.
 *
 * @module
 */

import type { OperatorNetwork } from "../../config/operator_network.ts";
import { CountersignError } from "../../base/errors.ts";
import { keyPermissions } from "../roles/key_reach.ts";
import { missingOf, permissionsOf, type RolePermissions } from "../roles/role_permissions.ts";
import { keyFilesOf, signersReach } from "../roles/role_reach.ts";

/** `invalid_configuration` if it may not use all of `operator`, the configuration in `file`. */
export async function requireReach(operator: OperatorNetwork, file: string): Promise<void> {
  requirePermissions(permissionsOf(signersReach(operator)), file);
  // After the key files may be read.
  requirePermissions(await keyPermissions(keyFilesOf(operator)), file);
}

function requirePermissions(needed: RolePermissions, file: string): void {
  const missing = missingOf(needed);
  if (missing.length === 0) return;
  throw new CountersignError(
    "invalid_configuration",
    `restart this gateway: it has no permission for ${missing.join(", ")}, because it started ` +
      `before "${file}" named them`,
  );
}
