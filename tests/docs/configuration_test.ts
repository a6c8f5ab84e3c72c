import assert from "node:assert/strict";
import { configurationReference } from "./configuration_reference.ts";

Deno.test("docs/configuration.md is what `deno task configuration` writes", async () => {
  const file = new URL("../../docs/configuration.md", import.meta.url);
  assert.equal(await Deno.readTextFile(file), configurationReference());
});
