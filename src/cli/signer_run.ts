/**
 * Starts a signer with the permissions that its configuration needs.
 *
 * @module
 */

import { readPrivateFile } from "../config/private_file.ts";
import { parseSignerNode } from "../config/signer_node.ts";
import { runConfined } from "../server/roles/confined_role.ts";
import { keyPermissions, timestampKeyPermissions } from "../server/roles/key_reach.ts";
import type { WitnessRoleOptions } from "../server/roles/role_options.ts";
import { joinPermissions, permissionsOf } from "../server/roles/role_permissions.ts";
import { signerReach } from "../server/roles/role_reach.ts";
import { ALL_PERMISSIONS, type CliProcess } from "./cli_process.ts";

/** Serves until SIGINT or SIGTERM. Returns the exit code. */
export async function runSigner(
  { config, ...choice }: WitnessRoleOptions,
  process: Pick<CliProcess, "io" | "dropPermissions">,
): Promise<number> {
  const file = process.io.resolvePath(config);
  const node = parseSignerNode(await readPrivateFile(file), file);
  const permissions = joinPermissions(
    permissionsOf(signerReach(node, file)),
    await keyPermissions(node.keyFiles),
    await timestampKeyPermissions(node.tsaKeys.map(({ keyFile }) => keyFile)),
  );
  return await runConfined(
    { role: "signer", options: { ...choice, config: file } },
    permissions,
    () => process.dropPermissions(ALL_PERMISSIONS),
  );
}
