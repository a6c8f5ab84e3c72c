/**
 * Starts a gateway with the permissions that its configuration needs.
 *
 * @module
 */

import {
  type OperatorNetwork,
  parseOperatorNetwork,
  readOperatorFile,
} from "../config/operator_network.ts";
import { loadBls } from "../proof/crypto/best_bls.ts";
import { CountersignError } from "../base/errors.ts";
import { requireFreePort } from "../http/listen.ts";
import { ALL_PERMISSIONS, type CliProcess } from "./cli_process.ts";
import { runConfined } from "../server/roles/confined_role.ts";
import { type DataPaths, dataPathsOf, successorFile } from "../server/data_paths.ts";
import { exists } from "../server/files.ts";
import { keyPermissions, timestampKeyPermissions } from "../server/roles/key_reach.ts";
import { joinPermissions, permissionsOf } from "../server/roles/role_permissions.ts";
import { gatewayReach, keyFilesOf, timestampKeyFilesOf } from "../server/roles/role_reach.ts";
import { defaultFronts, type ServeOptions, SHARES_PORTS } from "../server/roles/role_options.ts";
import { startingPermissions, threadPermissions } from "../server/roles/thread_permissions.ts";

/** Serves until SIGINT, SIGTERM or a fatal error. Returns the exit code. */
export async function runServe(
  { fronts: wanted, ...options }: ServeOptions & { readonly fronts?: number | undefined },
  process: Pick<CliProcess, "io" | "dropPermissions">,
): Promise<number> {
  const paths = dataPathsOf(options, process.io);
  const operator = await configured(paths, paths.networkFile, options);
  // Before the keys of a new network are made.
  if (operator === undefined && options.port !== 0) requireFreePort(options.host, options.port);
  // A standby has fewer parts to start when it takes over.
  const fronts = frontsOf(wanted ?? (options.standby ? 0 : undefined));
  // The next epoch's: a gateway begins it while it runs.
  const successor = await draftOf(paths, options, process);
  const start: ServeOptions = {
    ...options,
    data: paths.dataFolder,
    config: paths.isTrial ? undefined : paths.networkFile,
  };
  const onLoaded = () => process.dropPermissions(ALL_PERMISSIONS);
  const networks = [operator, successor].filter((one) => one !== undefined);
  const timestampKeys = await timestampKeyPermissions(networks.flatMap(timestampKeyFilesOf));
  const keys = joinPermissions(
    await keyPermissions(networks.flatMap(keyFilesOf)),
    timestampKeys,
  );
  if (fronts === 0) {
    const reachOf = (it: OperatorNetwork | undefined) =>
      joinPermissions(permissionsOf(gatewayReach(it, options, paths)), keys);
    const permissions = successor === undefined
      ? reachOf(operator)
      : joinPermissions(reachOf(operator), reachOf(successor));
    return await runConfined({ role: "serve", options: start }, permissions, onLoaded);
  }
  const threads = threadPermissions([operator, successor], options, paths);
  const permissions = {
    // Also for time stamps: a standby answers clients in this thread.
    sequencer: joinPermissions(threads.sequencer, keys),
    front: joinPermissions(threads.front, timestampKeys),
    supervisor: joinPermissions(threads.supervisor, timestampKeys),
  };
  return await runConfined(
    { role: "supervisor", options: start, fronts, permissions },
    startingPermissions(permissions),
    onLoaded,
  );
}

/** The successor; `undefined` also if it cannot be used: a draft must not stop the present epoch. */
export async function draftOf(
  paths: DataPaths,
  options: ServeOptions,
  { io }: Pick<CliProcess, "io">,
): Promise<OperatorNetwork | undefined> {
  const file = successorFile(paths);
  try {
    return await configured(paths, file, options);
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    io.err(
      `countersign: ${error.message}. Starting without "${file}": restart the gateway once it is ` +
        "mended, before the succession",
    );
    return undefined;
  }
}

/** `usage` for more fronts than this system allows. */
function frontsOf(wanted = defaultFronts(navigator.hardwareConcurrency)): number {
  if (wanted <= 1 || SHARES_PORTS) return wanted;
  throw new CountersignError(
    "usage",
    "Cannot start more than one front: threads share a port only on Linux. Use --fronts 1 or 0",
  );
}

/**
 * `undefined` if there is no successor, or the trial network is not created yet; all its files are in the
 * data folder.
 */
async function configured(
  { networkFile, isTrial }: DataPaths,
  file: string,
  { insecure }: ServeOptions,
): Promise<OperatorNetwork | undefined> {
  if ((isTrial || file !== networkFile) && !await exists(file)) return undefined;
  const text = await readOperatorFile(file);
  return parseOperatorNetwork(text, file, { insecure, bls: await loadBls() });
}
