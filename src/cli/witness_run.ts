/**
 * Starts a witness with the permissions that its configuration needs.
 *
 * @module
 */

import { readPrivateFile } from "../config/private_file.ts";
import { parseWitnessNode } from "../config/witness_node.ts";
import { runConfined } from "../server/roles/confined_role.ts";
import { keyPermissions } from "../server/roles/key_reach.ts";
import { joinPermissions, permissionsOf } from "../server/roles/role_permissions.ts";
import { witnessReach } from "../server/roles/witness_reach.ts";
import { adoptState } from "./adoption.ts";
import { ALL_PERMISSIONS, type CliProcess } from "./cli_process.ts";
import type { LogChoice } from "../server/service_log.ts";

export interface WitnessCommandOptions extends LogChoice {
  /** The node's `witness.json`. */
  readonly config: string;
  readonly moved: boolean;
  readonly adopt: boolean;
  /** Size of the head to adopt. */
  readonly size?: string | undefined;
  readonly root?: string | undefined;
}

/** Serves until SIGINT or SIGTERM. Returns the exit code. */
export async function runWitness(
  { config, moved, adopt, size, root, logFormat, logLevel }: WitnessCommandOptions,
  process: Pick<CliProcess, "io" | "dropPermissions">,
): Promise<number> {
  const { io } = process;
  const file = io.resolvePath(config);
  const node = parseWitnessNode(await readPrivateFile(file), file);
  if (adopt) await adoptState(node, { size, root }, io);
  const options = { logFormat, logLevel, moved, config: file };
  const permissions = joinPermissions(
    permissionsOf(witnessReach(node, file)),
    await keyPermissions([node.keyFile, node.mlDsaKeyFile].filter((path) => path !== undefined)),
  );
  return await runConfined(
    { role: "witness", options },
    permissions,
    () => process.dropPermissions(ALL_PERMISSIONS),
  );
}
