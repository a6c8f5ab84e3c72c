/**
 * `fsck`: rereads a whole log, in its store or through a gateway, and reports each fault found.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { CommandContext } from "./command_context.ts";
import type { FsckOptions } from "./fsck_run.ts";

/** Exits 1 unless the log is without a fault. */
export async function runFsck(options: FsckOptions, context: CommandContext): Promise<number> {
  const { data, config, gateway, online } = options;
  if (gateway !== undefined && (data !== undefined || config !== undefined)) {
    throw new CountersignError(
      "usage",
      "Cannot check: either --gateway, or --data and --config required, found both",
    );
  }
  if (gateway === undefined) {
    if (online) {
      throw new CountersignError(
        "usage",
        "Cannot check: --gateway required with --online, found none",
      );
    }
    return await (await import("./fsck_store.ts")).fsckStore(options, context);
  }
  return await (await import("./fsck_gateway.ts")).fsckGateway(options, context);
}
