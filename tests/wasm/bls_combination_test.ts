import assert from "node:assert/strict";
import type { BlsExports } from "../../src/proof/crypto/wasm_bls_exports.ts";
import { firstCombinationFailure } from "./bls_combination_checks.ts";
import { committedBuild, committedBuilds } from "./committed_builds.ts";

for (const name of committedBuilds("bls.")) {
  Deno.test(`${name}: a batch is combined with exactly the drawn coefficients`, () => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(committedBuild(name)));
    assert.equal(firstCombinationFailure(exports as unknown as BlsExports), undefined);
  });
}
