/**
 * The process that the program runs in.
 *
 * @module
 */

import process from "node:process";
import { systemClock } from "../base/clock.ts";
import type { CliProcess } from "./cli_process.ts";
import { systemIo } from "../server/io.ts";
import { deno } from "../server/runtime.ts";

/** {@linkcode CliProcess} of this process. */
export const systemProcess: CliProcess = {
  io: systemIo,
  clock: systemClock,
  stdin: () => process.stdin,
  dropPermissions(kinds) {
    // A broad descriptor takes narrower grants with it.
    for (const name of kinds) deno?.permissions.revokeSync({ name });
  },
  ...(deno === undefined && {
    runInDeno: async (args: readonly string[]) =>
      await (await import("./deno_process.ts")).runInDeno(args, systemIo),
  }),
  get columns() {
    return process.stdout.isTTY ? process.stdout.columns : undefined;
  },
  get showsProgress() {
    return process.stderr.isTTY === true;
  },
};
