/**
 * Starts roles in workers that have only the permissions they need.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import type { RoleOrder, RoleReport, RoleStart } from "./role_messages.ts";
import { grantedOf, type RolePermissions } from "./role_permissions.ts";

/** After an unexpected error in the worker, which the runtime has printed. */
const EXIT_FAILED = 1;

/** A role that runs in a worker. */
export interface StartedRole extends Disposable {
  /** The exit code, once the role has ended. Rejects with the CountersignError that ended it. */
  readonly ended: Promise<number>;
  /** Asks the role to end. */
  stop(): void;
}

/** A role that was started here. */
export interface OwnRole extends StartedRole {
  /** Asks a gateway to give its lease up. */
  handOver(): void;
}

/** Starts the role in a worker of `module`; disposing it ends the worker at once. */
export function startRole(
  start: RoleStart,
  permissions: RolePermissions,
  { module, name = start.role, onLoaded = () => {}, transfer = [] }: {
    readonly module: URL;
    readonly name?: string;
    readonly onLoaded?: () => void;
    readonly transfer?: Transferable[];
  },
): OwnRole {
  const worker = confinedWorker(module, name, permissions);
  const order = (order: RoleOrder, transfer: Transferable[] = []) =>
    worker.postMessage(order, transfer);
  const ended = endOf(worker, onLoaded);
  order(start, transfer);
  return {
    ended,
    stop: () => order("stop"),
    handOver: () => order("hand_over"),
    [Symbol.dispose]: () => worker.terminate(),
  };
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
