import assert from "node:assert/strict";
import { loadCompiledKernels } from "../../../src/proof/crypto/compiled_kernels.ts";
import { pattern, sha256 } from "./kernels_implementations.ts";

Deno.test("loadCompiledKernels() returns kernels whether or not our module loads", async () => {
  const own = await loadCompiledKernels();
  const fallback = await loadCompiledKernels(() => Promise.resolve(undefined));
  assert.notEqual(own.constructor, fallback.constructor);
  const leaves = pattern(32 * 33);
  for (const kernels of [own, fallback]) {
    assert.deepEqual(kernels.sha256(leaves), sha256(leaves));
    assert.deepEqual(kernels.treeLevels(leaves), own.treeLevels(leaves));
  }
});
