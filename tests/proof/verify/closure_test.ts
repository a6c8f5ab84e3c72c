/**
 * The transitive imports of `src/proof/verify/mod.ts`: all code that can make a false proof look valid.
 *
 * @module
 */

import assert from "node:assert/strict";
import { closureOf, codeLines, linesOf } from "../../closure.ts";

/** 3,000 for one configuration, and 700 to follow its succession. */
const MAX_LINES = 4_140;

Deno.test("codeLines() leaves out comments and blank lines", () => {
  assert.equal(codeLines("/**\n * a\n */\nconst a = 1;\n\n// b\n/* c */\nconst b = 2; // d\n"), 2);
});

Deno.test("src/proof/verify/mod.ts imports at most 4,140 lines, of proof and of four files of base", async () => {
  const { filesWithTypes, packages } = await closureOf("src/proof/verify/mod.ts");
  assert.deepEqual(
    filesWithTypes.filter((path) =>
      !/^src\/(proof\/|base\/(builtins|bytes|errors|recently_used)\.ts$)/.test(path)
    ),
    [],
  );
  assert.deepEqual(
    packages.filter((name) => !/^npm:\/?@noble\/(ciphers|curves|hashes|post-quantum)@/.test(name)),
    [],
  );
  const lines = await linesOf(filesWithTypes);
  assert.ok(lines > 1_000 && lines <= MAX_LINES, `${lines} lines of code`);
});
