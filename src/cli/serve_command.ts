/**
 * `serve`: runs a gateway with access to the resources in its configuration only.
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

/** Serves until SIGINT, SIGTERM or a fatal error. Returns the exit code. */
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

/** `undefined` if the trial network is not created yet; all its files are in the data folder. */
async function configured(
  { networkFile, isTrial }: DataPaths,
  { insecure }: ServeOptions,
): Promise<OperatorNetwork | undefined> {
  if (isTrial && !await exists(networkFile)) return undefined;
  const text = await readPrivateFile(networkFile);
  return parseOperatorNetwork(text, networkFile, { insecure, bls: await loadBls() });
}
