/**
 * `witness`: runs a witness node with access to the resources in its configuration only.
 *
 * @module
 */

import { or } from "@optique/core/constructs";
import { readPrivateFile } from "../config/private_file.ts";
import { parseWitnessNode } from "../config/witness_node.ts";
import { adoptState } from "./adoption.ts";
import { ALL_PERMISSIONS, type CliProcess } from "./cli_process.ts";
import { namedCommand, runnable, type ValuesOf } from "./define_command.ts";
import { flag, logOptions, optional, textValue } from "./options.ts";
import { witnessConfig, witnessRelease } from "./witness_release_command.ts";
import { runConfined } from "../server/roles/confined_role.ts";
import { permissionsOf } from "../server/roles/role_permissions.ts";
import { witnessReach } from "../server/roles/role_reach.ts";

const options = {
  config: witnessConfig,
  adopt: flag("--adopt", "Recreate a lost state from the largest known tree head."),
  size: optional("--size", textValue("SIZE"), "Tree size of the head to adopt."),
  root: optional("--root", textValue("HASH"), "Root hash of the head to adopt."),
  ...logOptions,
};

export type WitnessCommandOptions = ValuesOf<typeof options>;

export const witness = namedCommand(
  "witness",
  or(witnessRelease, runnable(options, (values, { process }) => runWitness(values, process))),
);

/** Serves until SIGINT or SIGTERM. Returns the exit code. */
export async function runWitness(
  { config, adopt, size, root, logFormat, logLevel }: WitnessCommandOptions,
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
