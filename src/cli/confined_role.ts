/**
 * Runs a role in a worker that has the permissions it needs and no others. What runs here only waits
 * for its end, and gives up everything once the worker has loaded its modules.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { type CliProcess, POWERS } from "./command_context.ts";
import { grantedOf, type RolePermissions } from "./role_permissions.ts";
import type { RoleOrder, RoleReport, RoleStart } from "./role_worker.ts";
import { stopOnSignals } from "./stop_signal.ts";

/** Of what the worker did not expect, which the runtime has printed. */
const EXIT_FAILED = 1;

/**
 * Runs the role until SIGINT or SIGTERM, or until it ends by itself. Answers the exit code, and
 * rejects with the CountersignError that ended it.
 */
export async function runConfined(
  start: RoleStart,
  permissions: RolePermissions,
  process: Pick<CliProcess, "giveUp">,
): Promise<number> {
  using stop = stopOnSignals();
  const module = new URL("./role_worker.ts", import.meta.url);
  const worker = confinedWorker(module, start.role, permissions);
  const order = (order: RoleOrder) => worker.postMessage(order);
  try {
    const ended = endOf(worker, () => process.giveUp(POWERS));
    order(start);
    stop.signal.addEventListener("abort", () => order("stop"), { once: true });
    return await ended;
  } finally {
    worker.terminate();
  }
}

/**
 * A worker of `module` that has `permissions` as far as this process has them itself.
 * `invalid_configuration` for a host that is none.
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
      `Cannot start ${name}: names or addresses of hosts required, found ${
        cause instanceof Error ? cause.message : "others"
      }`,
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
