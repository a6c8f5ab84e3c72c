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

/** What reading and verifying time-stamp tokens and X.509 certificates adds. */
const MAX_TIMESTAMP_LINES = 1_600;

Deno.test("src/proof/timestamp/mod.ts adds at most 1,600 lines, and no package", async () => {
  const verifier = await closureOf("src/proof/verify/mod.ts");
  const { filesWithTypes, packages } = await closureOf("src/proof/timestamp/mod.ts");
  const known = new Set(verifier.filesWithTypes);
  const added = filesWithTypes.filter((path) => !known.has(path));
  assert.deepEqual(
    added.filter((path) =>
      !/^src\/proof\/(timestamp\/|format\/(pem|witness_request)\.ts)/.test(path)
    ),
    [],
  );
  assert.deepEqual(packages.filter((name) => !verifier.packages.includes(name)), []);
  const lines = await linesOf(added);
  assert.ok(lines > 500 && lines <= MAX_TIMESTAMP_LINES, `${lines} lines of code`);
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
