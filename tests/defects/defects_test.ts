/**
 * The list of defects stays usable while source and tests change.
 *
 * @module
 */

import assert from "node:assert/strict";
import { withDefect } from "./defect.ts";
import { DEFECTS } from "./defects.ts";

const ROOT = new URL("../../", import.meta.url);

Deno.test("there are 63 defects, each with its own name", () => {
  assert.equal(DEFECTS.length, 63);
  assert.equal(new Set(DEFECTS.map(({ name }) => name)).size, DEFECTS.length);
});

Deno.test("the text of each defect occurs once in its file, also after those before it", async () => {
  const sources = new Map<string, string>();
  for (const defect of DEFECTS) {
    const { name, file } = defect;
    const source = await Deno.readTextFile(new URL(file, ROOT));
    const changed = withDefect(source, defect);
    assert.notEqual(changed, source, name);
    sources.set(file, withDefect(sources.get(file) ?? source, defect));
  }
});

Deno.test("the tests of each defect exist", async () => {
  for (const { name, tests } of DEFECTS) {
    assert.ok(tests.length > 0, name);
    for (const file of tests) {
      assert.match(file, /^tests\/.*_test\.ts$/, name);
      assert.ok((await Deno.stat(new URL(file, ROOT))).isFile, name);
    }
  }
});

Deno.test("withDefect() refuses a text that is missing or occurs twice", () => {
  const defect = { name: "less", file: "a.ts", text: "a > b", replacement: "a >= b" };
  const harm = { harm: "", tests: [] };
  assert.equal(withDefect("if (a > b) c();", { ...defect, ...harm }), "if (a >= b) c();");
  for (const source of ["", "a > b || a > b"]) {
    assert.throws(() => withDefect(source, { ...defect, ...harm }), /not once/);
  }
});
