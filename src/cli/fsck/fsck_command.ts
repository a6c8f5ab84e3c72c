/**
 * `fsck`: rereads a whole log, from its store or through a gateway, and reports each fault.
 *
 * @module
 */

import { CountersignError } from "../../errors.ts";
import type { CommandContext } from "../command_context.ts";
import type { FsckOptions } from "./fsck_run.ts";

/** Exits 1 if the log has a fault. */
export async function runFsck(options: FsckOptions, context: CommandContext): Promise<number> {
  const { data, config, gateway, online } = options;
  if (gateway !== undefined && (data !== undefined || config !== undefined)) {
    throw new CountersignError(
      "usage",
      "Cannot check: --gateway excludes --data and --config",
    );
  }
  if (gateway === undefined) {
    if (online) {
      throw new CountersignError(
        "usage",
        "Cannot check: --online needs --gateway",
      );
    }
    return await (await import("./fsck_store.ts")).fsckStore(options, context);
  }
  return await (await import("./fsck_gateway.ts")).fsckGateway(options, context);
}
