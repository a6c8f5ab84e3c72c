/**
 * A process with every permission that starts the probe as `countersign` starts its roles, and prints
 * what it tells. Its argument is JSON: the permissions and what is probed; `confined` false leaves the
 * probe all permissions.
 *
 * @module
 */

import { confinedWorker } from "../../src/server/roles/started_role.ts";
import { systemIo } from "../../src/server/io.ts";

const { permissions, probed, confined } = JSON.parse(Deno.args[0]!);
const module = new URL("./confined_probe.ts", import.meta.url);
const worker = confined
  ? confinedWorker(module, "probe", permissions)
  : new Worker(module, { type: "module" });
worker.onmessage = ({ data }) => {
  systemIo.out(JSON.stringify(data));
  Deno.exit(0);
};
worker.postMessage(probed);
