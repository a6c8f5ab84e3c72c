/**
 * The only test of a bare `deno test -A` in the project's folder: it runs `deno task test`, whose
 * packages are in `tests/deno.json` (docs/decisions/10_npm_packages.md).
 *
 * @module
 */

import { strict as assert } from "node:assert";

Deno.test("deno task test passes", async () => {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "test"],
    cwd: new URL("../", import.meta.url),
    stdin: "null",
  }).spawn().status;
  assert.ok(success);
});
