/**
 * The process that the program runs in.
 *
 * @module
 */

import { systemClock } from "../clock.ts";
import type { CliProcess } from "./command_context.ts";
import { systemIo } from "./io.ts";

/** {@linkcode CliProcess} of this process. */
export const systemProcess: CliProcess = {
  io: systemIo,
  clock: systemClock,
  stdin: () => Deno.stdin.readable,
  revokeNetwork() {
    // A broad descriptor takes narrower grants with it.
    Deno.permissions.revokeSync({ name: "net" });
  },
  get columns() {
    return Deno.stdout.isTerminal() ? Deno.consoleSize().columns : undefined;
  },
  get showsProgress() {
    return Deno.stderr.isTerminal();
  },
};
