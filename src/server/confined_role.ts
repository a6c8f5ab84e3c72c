/**
 * Runs a role in a worker that has only the permissions it needs. The main thread waits for its end,
 * and drops all its permissions once the worker has loaded its modules.
 *
 * @module
 */

import type { RolePermissions } from "./role_permissions.ts";
import type { RoleStart } from "./role_messages.ts";
import { startRole } from "./started_role.ts";
import { stopOnSignals } from "./stop_signal.ts";

const ROLE_WORKER = new URL("./role_worker.ts", import.meta.url);

/**
 * Runs the role until SIGINT or SIGTERM, or until it ends. Returns the exit code, and rejects with
 * the CountersignError that ended it. `onLoaded` is called once the worker has loaded its modules.
 */
export async function runConfined(
  start: RoleStart,
  permissions: RolePermissions,
  onLoaded: () => void,
): Promise<number> {
  using stop = stopOnSignals();
  using role = startRole(start, permissions, { module: ROLE_WORKER, onLoaded });
  stop.signal.addEventListener("abort", () => role.stop(), { once: true });
  return await role.ended;
}
