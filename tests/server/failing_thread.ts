/**
 * The worker of a role that fails when the file `fail` beside its data folder becomes newer than the worker
 * itself, and contains the worker's name: it ends with an error or, if the file begins with `loop`, loops
 * for ever.
 *
 * @module
 */

import { join } from "node:path";
import "../../src/server/role_worker.ts";
import type { RoleOrder } from "../../src/server/roles/role_messages.ts";

const WATCH_MS = 20;
const started = Date.now();

self.addEventListener("message", (event) => {
  const { data: order } = event as MessageEvent<RoleOrder>;
  if (typeof order === "string" || !("data" in order.options) || order.options.data === undefined) {
    return;
  }
  setInterval(failIfTold, WATCH_MS, join(order.options.data, "..", "fail"));
});

function failIfTold(file: string): void {
  const { mtime } = Deno.statSync(file);
  if (mtime!.getTime() <= started) return;
  const failure = Deno.readTextFileSync(file);
  if (!failure.includes(self.name)) return;
  if (!failure.startsWith("loop")) throw new Error("the test ends this thread");
  // Leaves the processor to others.
  for (const never = new Int32Array(new SharedArrayBuffer(4));;) Atomics.wait(never, 0, 0, 10);
}
