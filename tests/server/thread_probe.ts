/**
 * Runs as the worker of a supervisor with {@linkcode threadPermissions}, or of a thread that it starts;
 * posts which of its attempts are allowed.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import { keepOnly } from "../../src/server/roles/role_permissions.ts";
import { confinedWorker } from "../../src/server/roles/started_role.ts";
import {
  startingPermissions,
  type ThreadPermissions,
} from "../../src/server/roles/thread_permissions.ts";

export interface Probed {
  /** Has the files `store.kv` and `key`. */
  readonly dataFolder: string;
  readonly host: string;
  readonly clients: number;
  readonly operators: number;
  readonly witness: number;
}

export type Allowed = Readonly<Record<string, boolean>>;

export type ProbeOrder =
  | { readonly probed: Probed }
  | { readonly probed: Probed; readonly permissions: ThreadPermissions };

async function attempts(
  { dataFolder, host, clients, operators, witness }: Probed,
): Promise<Allowed> {
  const store = `${dataFolder}/store.kv`;
  const all: Readonly<Record<string, () => unknown>> = {
    "read the store": () => new DatabaseSync(store, { readOnly: true }).close(),
    "write the store": () => new DatabaseSync(store).close(),
    "open Deno KV": async () => (await Deno.openKv(store)).close(),
    "write in the data folder": () => Deno.writeTextFileSync(`${dataFolder}/new`, ""),
    "read a key": () => Deno.readTextFileSync(`${dataFolder}/key`),
    "listen for clients": () => Deno.listen({ hostname: host, port: clients }).close(),
    "listen for operators": () => Deno.listen({ hostname: host, port: operators }).close(),
    "reach a witness": async () => (await Deno.connect({ hostname: host, port: witness })).close(),
  };
  const allowed: Record<string, boolean> = {};
  for (const [name, attempt] of Object.entries(all)) {
    allowed[name] = await Promise.try(attempt).then(
      () => true,
      (error) => {
        if (error instanceof Deno.errors.NotCapable) return false;
        throw error;
      },
    );
  }
  return allowed;
}

self.onmessage = async ({ data: order }: MessageEvent<ProbeOrder>) => {
  const { probed } = order;
  if (!("permissions" in order)) return self.postMessage(await attempts(probed));
  const { permissions } = order;
  const module = new URL(import.meta.url);
  const started = (granted: ThreadPermissions[keyof ThreadPermissions]) =>
    new Promise<Allowed>((resolve) => {
      const worker = confinedWorker(module, "probe", granted);
      worker.onmessage = ({ data }) => {
        worker.terminate();
        resolve(data);
      };
      worker.postMessage({ probed } satisfies ProbeOrder);
    });
  const sequencer = await started(permissions.sequencer);
  keepOnly(permissions.supervisor, startingPermissions(permissions));
  self.postMessage({
    sequencer,
    supervisor: await attempts(probed),
    front: await started(permissions.front),
  });
};
