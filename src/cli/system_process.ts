/**
 * The process that the program runs in.
 *
 * @module
 */

import { systemClock } from "../clock.ts";
import type { CliProcess } from "./command_context.ts";
import { systemIo } from "../server/io.ts";

/** {@linkcode CliProcess} of this process. */
export const systemProcess: CliProcess = {
  io: systemIo,
  clock: systemClock,
  stdin: () => Deno.stdin.readable,
  dropPermissions(kinds) {
    // A broad descriptor takes narrower grants with it.
    for (const name of kinds) Deno.permissions.revokeSync({ name });
  },
  get columns() {
    return Deno.stdout.isTerminal() ? Deno.consoleSize().columns : undefined;
  },
  get rows() {
    return Deno.stdout.isTerminal() ? Deno.consoleSize().rows : undefined;
  },
  get showsProgress() {
    return Deno.stderr.isTerminal();
  },
};
