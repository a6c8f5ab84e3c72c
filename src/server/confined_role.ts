/**
 * Runs a role in a worker that has only the permissions it needs. The main thread waits for its end,
 * and drops all its permissions once the worker has loaded its modules.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { grantedOf, type RolePermissions } from "./role_permissions.ts";
import type { RoleOrder, RoleReport, RoleStart } from "./role_worker.ts";
import { stopOnSignals } from "./stop_signal.ts";

/** After an unexpected error in the worker, which the runtime has printed. */
const EXIT_FAILED = 1;

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
  const module = new URL("./role_worker.ts", import.meta.url);
  const worker = confinedWorker(module, start.role, permissions);
  const order = (order: RoleOrder) => worker.postMessage(order);
  try {
    const ended = endOf(worker, onLoaded);
    order(start);
    stop.signal.addEventListener("abort", () => order("stop"), { once: true });
    return await ended;
  } finally {
    worker.terminate();
  }
}

/**
 * A worker of `module` with those of `permissions` that this process has. `invalid_configuration` if
 * a host is invalid.
 */
export function confinedWorker(
  module: URL,
  name: string,
  permissions: RolePermissions,
): Worker {
  try {
    return new Worker(module, {
      type: "module",
      name,
      deno: { permissions: grantedOf(permissions) },
    });
  } catch (cause) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot start ${name}: ${cause instanceof Error ? cause.message : "invalid permissions"}`,
      { cause },
    );
  }
}

function endOf(worker: Worker, onLoaded: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data: report }: MessageEvent<RoleReport>) => {
      if (report === "loaded") onLoaded();
      else if ("exitCode" in report) resolve(report.exitCode);
      else reject(new CountersignError(report.code, report.message));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      resolve(EXIT_FAILED);
    };
  });
}
