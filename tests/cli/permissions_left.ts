/**
 * Loaded before the program: says on standard error, when it ends, which permissions it has left.
 *
 * @module
 */

import { systemIo } from "../../src/server/io.ts";

const NAMES = ["run", "ffi", "import", "net", "sys", "env", "write", "read"] as const;

globalThis.addEventListener("unload", () => {
  const left = NAMES.filter((name) => Deno.permissions.querySync({ name }).state === "granted");
  systemIo.err(`left: ${left.join()}`);
});
