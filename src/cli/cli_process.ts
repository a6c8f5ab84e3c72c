/**
 * The process that the program runs in.
 *
 * @module
 */

import type { Clock } from "../base/clock.ts";
import type { CliIo } from "../server/io.ts";

/** Kinds of permissions of a Deno process. */
export const ALL_PERMISSIONS = [
  "run",
  "ffi",
  "import",
  "net",
  "sys",
  "env",
  "write",
  "read",
] as const;

export type PermissionKind = typeof ALL_PERMISSIONS[number];

/** The process, injected for tests. */
export interface CliProcess {
  readonly io: CliIo;
  readonly clock: Clock;
  /** Opens standard input. */
  stdin(): AsyncIterable<Uint8Array>;
  /** Drops permissions for the rest of the process. */
  dropPermissions(kinds: readonly PermissionKind[]): void;
  /** Runs the program in Deno, and returns its exit code; absent if it runs in Deno. */
  runInDeno?(args: readonly string[]): Promise<number>;
  /** Columns of the terminal at standard output; `undefined` if it is not a terminal. */
  readonly columns: number | undefined;
  /** True if standard error is a terminal, which can show progress. */
  readonly showsProgress: boolean;
}

/** True for a terminal, unless NO_COLOR is set (no-color.org). */
export function usesColour({ io, columns }: CliProcess): boolean {
  return columns !== undefined && io.env("NO_COLOR") === undefined;
}
