/**
 * `witness`: runs a witness node with access to the resources in its configuration only.
 *
 * @module
 */

import { or } from "@optique/core/constructs";
import { command } from "@optique/core/primitives";
import { readPrivateFile } from "../config/private_file.ts";
import { parseWitnessNode } from "../config/witness_node.ts";
import { adoptState } from "./adoption.ts";
import { ALL_PERMISSIONS, type CliProcess } from "./command_context.ts";
import { runnable, type ValuesOf } from "./define_command.ts";
import { flag, logOptions, optional, plain, textValue } from "./options.ts";
import { witnessConfig, witnessRelease } from "./witness_release_command.ts";
import { runConfined } from "../server/confined_role.ts";
import { permissionsOf } from "../server/role_permissions.ts";
import { witnessReach } from "../server/role_reach.ts";

const options = {
  config: witnessConfig,
  adopt: flag("--adopt", "Recreate a lost state from the largest known tree head."),
  size: optional("--size", textValue("SIZE"), "Tree size of the head to adopt."),
  root: optional("--root", textValue("HASH"), "Root hash of the head to adopt."),
  ...logOptions,
};

export type WitnessCommandOptions = ValuesOf<typeof options>;

export const witness = command(
  "witness",
  or(witnessRelease, runnable(options, (values, { process }) => runWitness(values, process))),
  { brief: plain("Run a witness node") },
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
