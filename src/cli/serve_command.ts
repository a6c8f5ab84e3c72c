/**
 * `countersign serve`: the gateway, confined to what its configuration names.
 *
 * @module
 */

import { type OperatorNetwork, parseOperatorNetwork } from "../config/operator_network.ts";
import { readPrivateFile } from "../config/private_file.ts";
import { loadBls } from "../crypto/best_bls.ts";
import { ALL_PERMISSIONS, type CliProcess } from "./command_context.ts";
import { runConfined } from "../server/confined_role.ts";
import { type DataPaths, dataPathsOf } from "../server/data_paths.ts";
import { exists } from "../server/files.ts";
import { permissionsOf } from "../server/role_permissions.ts";
import { gatewayReach } from "../server/role_reach.ts";
import type { ServeOptions } from "../server/gateway_options.ts";

/** Serves until SIGINT or SIGTERM, or until a fault that no retry mends. Answers the exit code. */
export async function runServe(
  options: ServeOptions,
  process: Pick<CliProcess, "io" | "dropPermissions">,
): Promise<number> {
  const paths = dataPathsOf(options, process.io);
  const reach = gatewayReach(await configured(paths, options), options, paths);
  const start: ServeOptions = {
    ...options,
    data: paths.dataFolder,
    config: paths.isTrial ? undefined : paths.networkFile,
  };
  return await runConfined(
    { role: "serve", options: start },
    permissionsOf(reach),
    () => process.dropPermissions(ALL_PERMISSIONS),
  );
}

/** Nothing where the gateway makes a trial network first, which is all in its data folder. */
async function configured(
  { networkFile, isTrial }: DataPaths,
  { insecure }: ServeOptions,
): Promise<OperatorNetwork | undefined> {
  if (isTrial && !await exists(networkFile)) return undefined;
  const text = await readPrivateFile(networkFile);
  return parseOperatorNetwork(text, networkFile, { insecure, bls: await loadBls() });
}
