/**
 * `countersign issuer`: the issuer, confined to its folder and its port.
 *
 * @module
 */

import type { CliProcess } from "./command_context.ts";
import { runConfined } from "./confined_role.ts";
import type { IssuerOptions } from "./issuer_options.ts";
import { permissionsOf } from "./role_permissions.ts";
import { issuerReach } from "./role_reach.ts";

/** Serves until SIGINT or SIGTERM. Answers the exit code. */
export async function runIssuer(
  options: IssuerOptions,
  process: Pick<CliProcess, "io" | "giveUp">,
): Promise<number> {
  const start = { ...options, data: process.io.resolvePath(options.data) };
  const permissions = permissionsOf(issuerReach(start));
  return await runConfined({ role: "issuer", options: start }, permissions, process);
}
