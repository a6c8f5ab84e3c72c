/**
 * `fsck`: rereads a whole log, from its store or through a gateway, and reports each fault.
 *
 * @module
 */

import { errorBuilder } from "../../base/errors.ts";
import type { CommandContext } from "../command_context.ts";
import { defineCommand } from "../define_command.ts";
import { mirrorOption } from "../mirror/opened_mirror.ts";
import { FILE, flag, FOLDER, optional } from "../options.ts";
import type { FsckOptions } from "./fsck_run.ts";

const usage = errorBuilder("usage", "Cannot check");

/** Exits 1 if the log has a fault. */
export const fsck = defineCommand("fsck", {
  description:
    "Rereads the log in a store, with --gateway the log of a running gateway, or with --mirror a copy of its tiles. Recomputes every hash, verifies every signature, and reports each fault. Exits 1 if there is one.",
  options: {
    data: optional(
      "--data",
      FOLDER,
      "The data folder of a stopped gateway (default: as for serve).",
    ),
    config: optional(
      "--config",
      FILE,
      "The operator's network.json (default: the trial network's).",
    ),
    networkConfig: optional(
      "--network-config",
      FILE,
      "Configuration to verify against, operator's or public.",
    ),
    mirror: mirrorOption,
    online: flag("--online", "Trust the gateway for the configuration if none is pinned."),
  },
  run: (values, context) => runFsck({ ...values, gateway: context.namedGateway }, context),
});

async function runFsck(options: FsckOptions, context: CommandContext): Promise<number> {
  const { data, config, gateway, online, mirror } = options;
  if (mirror !== undefined) {
    if ([data, config, gateway].some((given) => given !== undefined) || online) {
      throw usage("give --mirror without --gateway, --data, --config and --online");
    }
    return await (await import("./fsck_published.ts")).fsckMirror({ ...options, mirror }, context);
  }
  if (gateway !== undefined && (data !== undefined || config !== undefined)) {
    throw usage("give either --gateway, or --data and --config");
  }
  if (gateway === undefined) {
    if (online) {
      throw usage("--online needs --gateway");
    }
    return await (await import("./fsck_store.ts")).fsckStore(options, context);
  }
  return await (await import("./fsck_published.ts")).fsckGateway(options, context);
}
