/**
 * The verifiers in Python and Go find what this verifier finds, whatever is changed in a time-stamp token.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { IS_LONG } from "../long_runs.ts";
import { writeChangedTokens } from "./changed_tokens.ts";
import { runGo } from "./go.ts";
import { runTool } from "./tools.ts";

const COUNT = IS_LONG ? 5_000 : 500;
const IN_PYTHON = fileURLToPath(new URL("../../verifiers/python", import.meta.url));

/** What a short run meets at least. */
const RESULTS = [
  "valid",
  "timestamp_refused",
  "malformed_bundle",
  "authority_refused",
  "hash_mismatch",
  "field_mismatch",
];

const folder = await Deno.makeTempDir();
Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));
const results = await writeChangedTokens(folder, COUNT);

Deno.test("the changes of tokens lead to every kind of result", () => {
  assert.deepEqual(RESULTS.filter((result) => !results.has(result)), []);
});

Deno.test("the verifier in Python finds the same in changed tokens", async () => {
  const { code, stdout, stderr } = await runTool(
    "/usr/bin/python3",
    ["run_vectors.py", folder],
    { cwd: IN_PYTHON, env: { PYTHONDONTWRITEBYTECODE: "1" } },
  );
  assert.deepEqual([code, stdout, stderr], [0, `${COUNT} agree, 0 do not\n`, ""]);
});

Deno.test("the verifier in Go finds the same, or says that it cannot", async () => {
  const { code, stdout, stderr } = await runGo(
    ["test", "-v", "-count=1", "-run", "TestVectors", "./..."],
    { COUNTERSIGN_VECTORS: folder, COUNTERSIGN_MAY_LACK: "1" },
  );
  assert.equal(code, 0, stdout + stderr);
  const [, agreeing, lacking] = / (\d+) agree, 0 do not, (\d+) unsupported\n/.exec(stdout)!;
  assert.equal(Number(agreeing) + Number(lacking), COUNT);
  assert.ok(Number(agreeing) > COUNT * 0.85, stdout);
});
