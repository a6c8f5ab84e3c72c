/**
 * `fsck`: rereads a whole log in its store, and reports each fault found.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { CommandContext } from "./command_context.ts";

export interface FsckOptions {
  /** As typed: the data folder of `serve`. */
  readonly data: string | undefined;
  /** As typed: the operator's `network.json`. */
  readonly config: string | undefined;
  /** As typed: a configuration in place of the operator's, or of a pinned one. */
  readonly networkConfig: string | undefined;
  /** As typed; the store is read where there is none. */
  readonly gateway: string | undefined;
  /** Trust the gateway for the configuration where none is given or pinned. */
  readonly online: boolean;
}

/** Exits 1 unless the log is without a fault. */
export async function runFsck(options: FsckOptions, context: CommandContext): Promise<number> {
  if (options.gateway !== undefined) {
    throw new CountersignError("usage", "Cannot check: --data required, found --gateway");
  }
  return await (await import("./fsck_store.ts")).fsckStore(options, context);
}
