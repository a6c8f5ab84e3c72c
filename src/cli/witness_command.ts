/**
 * `witness`: runs a witness node with access to the resources in its configuration only.
 *
 * @module
 */

import { readPrivateFile } from "../config/private_file.ts";
import { parseWitnessNode } from "../config/witness_node.ts";
import { type AdoptedHead, adoptState } from "./adoption.ts";
import { ALL_PERMISSIONS, type CliProcess } from "./command_context.ts";
import { runConfined } from "../server/confined_role.ts";
import { permissionsOf } from "../server/role_permissions.ts";
import { witnessReach } from "../server/role_reach.ts";
import type { LogChoice } from "../server/service_log.ts";

export interface WitnessOptions extends LogChoice, AdoptedHead {
  /** A `witness.json`. */
  readonly config: string;
  readonly adopt: boolean;
}

/** Serves until SIGINT or SIGTERM. Returns the exit code. */
export async function runWitness(
  { config, adopt, size, root, logFormat, logLevel }: WitnessOptions,
  process: Pick<CliProcess, "io" | "dropPermissions">,
): Promise<number> {
  const { io } = process;
  const file = io.resolvePath(config);
  const node = parseWitnessNode(await readPrivateFile(file), file);
  if (adopt) await adoptState(node, { size, root }, io);
  const options = { logFormat, logLevel, config: file };
  const permissions = permissionsOf(witnessReach(node, file));
  return await runConfined(
    { role: "witness", options },
    permissions,
    () => process.dropPermissions(ALL_PERMISSIONS),
  );
}
