/**
 * `serve`: runs a gateway with access to the resources in its configuration only.
 *
 * @module
 */

import { type OperatorNetwork, parseOperatorNetwork } from "../config/operator_network.ts";
import { readPrivateFile } from "../config/private_file.ts";
import { loadBls } from "../crypto/best_bls.ts";
import { CountersignError } from "../errors.ts";
import { ALL_PERMISSIONS, type CliProcess } from "./cli_process.ts";
import { defineCommand } from "./define_command.ts";
import {
  count,
  FILE,
  flag,
  FOLDER,
  LISTEN_PORT,
  listenOptions,
  logOptions,
  optional,
  SCHEME,
  SERVICE_URL,
} from "./options.ts";
import { runConfined } from "../server/roles/confined_role.ts";
import { type DataPaths, dataPathsOf, successorFile } from "../server/data_paths.ts";
import { exists } from "../server/files.ts";
import { joinPermissions, permissionsOf } from "../server/roles/role_permissions.ts";
import { gatewayReach } from "../server/roles/role_reach.ts";
import {
  defaultFronts,
  MAX_FRONTS,
  SERVE_DEFAULTS,
  type ServeOptions,
  SHARES_PORTS,
} from "../server/roles/role_options.ts";
import { startingPermissions, threadPermissions } from "../server/roles/thread_permissions.ts";

export const serve = defineCommand("serve", {
  options: {
    config: optional(
      "--config",
      FILE,
      "The operator's network.json. Without it, a trial network is created.",
    ),
    data: optional(
      "--data",
      FOLDER,
      "Folder of the store (default: countersign-data, or data next to the configuration).",
    ),
    ...listenOptions(SERVE_DEFAULTS),
    operatorPort: optional(
      "--operator-port",
      LISTEN_PORT,
      "Port for operators and peers, 0 for any (default: the configured one, or none).",
    ),
    eventSocketsPort: optional(
      "--event-sockets-port",
      LISTEN_PORT,
      "Port for WebSockets at /ws/events, 0 for any (default: the configured one, or none).",
    ),
    scheme: optional(
      "--scheme",
      SCHEME,
      "Signature scheme of the trial network: ed25519 (default) or bls.",
    ),
    insecure: flag("--insecure", "Allow http: to witnesses beyond this machine."),
    moved: flag(
      "--moved",
      "The store was moved or restored here, and its original is stopped for good.",
    ),
    acceptBeforeWitnesses: flag(
      "--accept-before-witnesses",
      "Accept hashes before the witnesses have confirmed the store. If it is an old copy, they are lost.",
    ),
    standby: flag(
      "--standby",
      "Wait while another gateway takes the hashes of this log, and take over when it ends.",
    ),
    publicUrl: optional(
      "--public-url",
      SERVICE_URL,
      "Where clients reach this gateway, as standbys tell.",
    ),
    batchMaxAgeMs: optional(
      "--batch-max-age-ms",
      count("MS", 1),
      "Longest wait of an attestation for its batch (default: 1000).",
    ),
    batchMaxLeaves: optional(
      "--batch-max-leaves",
      count("COUNT", 1, 16_384),
      "Number of attestations that closes a batch at once (default: 16384).",
    ),
    fronts: optional(
      "--fronts",
      count("COUNT", 0, MAX_FRONTS),
      "Threads that answer clients, beside one that writes; 0: one thread does both " +
        "(default: one for each core but one, at most 8; 0 on up to two cores).",
    ),
    ...logOptions,
  },
  run: (options, { process }) => runServe(options, process),
});

/** Serves until SIGINT, SIGTERM or a fatal error. Returns the exit code. */
export async function runServe(
  { fronts: wanted, ...options }: ServeOptions & { readonly fronts?: number | undefined },
  process: Pick<CliProcess, "io" | "dropPermissions">,
): Promise<number> {
  const fronts = options.standby ? standbyFronts(wanted) : frontsOf(wanted);
  const paths = dataPathsOf(options, process.io);
  const operator = await configured(paths, paths.networkFile, options);
  // The next epoch's: a gateway begins it while it runs.
  const successor = await configured(paths, successorFile(paths), options);
  const start: ServeOptions = {
    ...options,
    data: paths.dataFolder,
    config: paths.isTrial ? undefined : paths.networkFile,
  };
  const onLoaded = () => process.dropPermissions(ALL_PERMISSIONS);
  if (fronts === 0) {
    const reachOf = (it: OperatorNetwork | undefined) =>
      permissionsOf(gatewayReach(it, options, paths));
    const permissions = successor === undefined
      ? reachOf(operator)
      : joinPermissions(reachOf(operator), reachOf(successor));
    return await runConfined({ role: "serve", options: start }, permissions, onLoaded);
  }
  const permissions = threadPermissions([operator, successor], options, paths);
  return await runConfined(
    { role: "supervisor", options: start, fronts, permissions },
    startingPermissions(permissions),
    onLoaded,
  );
}

/** `usage` for any front: a standby runs in one thread, which becomes the gateway. */
function standbyFronts(wanted = 0): number {
  if (wanted === 0) return wanted;
  throw new CountersignError(
    "usage",
    "A standby runs in one thread: use --standby with --fronts 0",
  );
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
  const text = await readPrivateFile(file);
  return parseOperatorNetwork(text, file, { insecure, bls: await loadBls() });
}
