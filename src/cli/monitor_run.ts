/**
 * Starts a monitor with the permissions that its configuration needs.
 *
 * @module
 */

import { parseMonitorNode } from "../config/monitor_node.ts";
import { readTextFile } from "../config/text_file.ts";
import { runConfined } from "../server/roles/confined_role.ts";
import { permissionsOf } from "../server/roles/role_permissions.ts";
import { monitorReach } from "../server/roles/monitor_reach.ts";
import type { LogChoice } from "../server/service_log.ts";
import { ALL_PERMISSIONS } from "./cli_process.ts";
import type { CommandContext } from "./command_context.ts";

export interface MonitorCommandOptions extends LogChoice {
  /** The monitor's `monitor.json`. */
  readonly config: string;
  readonly once: boolean;
}

/** Runs until SIGINT or SIGTERM, or once. Returns the exit code. */
export async function runMonitor(
  { config, ...choice }: MonitorCommandOptions,
  { process, output }: CommandContext,
): Promise<number> {
  const file = process.io.resolvePath(config);
  const node = parseMonitorNode(await readTextFile(file), file);
  return await runConfined(
    {
      role: "monitor",
      options: { ...choice, config: file, json: output.format === "json" },
    },
    permissionsOf(monitorReach(node, file)),
    () => process.dropPermissions(ALL_PERMISSIONS),
  );
}
