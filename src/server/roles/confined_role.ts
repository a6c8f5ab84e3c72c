/**
 * Runs a role in a worker that has only the permissions it needs. The main thread waits for its end,
 * and drops all its permissions once the worker has loaded its modules.
 *
 * @module
 */

import { ROLE_WORKER } from "../../base/program_files.ts";
import type { RolePermissions } from "./role_permissions.ts";
import type { RoleStart } from "./role_messages.ts";
import { startRole } from "./started_role.ts";
import { onHandOver, stopOnSignals } from "../stop_signal.ts";

/**
 * Runs the role until SIGINT or SIGTERM, or until it ends. Returns the exit code, and rejects with
 * the CountersignError that ended it. `onLoaded` is called once the worker has loaded its modules.
 * On SIGUSR1, a gateway that may stand by hands over.
 */
export async function runConfined(
  start: RoleStart,
  permissions: RolePermissions,
  onLoaded: () => void,
): Promise<number> {
  using stop = stopOnSignals();
  using role = startRole(start, permissions, { module: ROLE_WORKER, onLoaded });
  stop.signal.addEventListener("abort", () => role.stop(), { once: true });
  const isGateway = start.role === "serve" || start.role === "supervisor";
  using _handOver = isGateway && start.options.standby
    ? onHandOver(() => role.handOver())
    : undefined;
  return await role.ended;
}
