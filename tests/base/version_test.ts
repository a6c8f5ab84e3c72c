import assert from "node:assert/strict";
import { asyncApiDocument } from "../../src/http/reference/asyncapi_route.ts";
import { openApiDocument } from "../../src/http/reference/openapi_route.ts";
import { VERSION } from "../../src/base/version.ts";

Deno.test("the version of deno.json is the one of the program and of both API documents", async () => {
  const manifest = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
  assert.match(VERSION, /^[0-9]+\.[0-9]+\.[0-9]+$/);
  assert.equal(VERSION, manifest.version);
  assert.equal(openApiDocument([]).info.version, VERSION);
  assert.equal(asyncApiDocument().info.version, VERSION);
});
