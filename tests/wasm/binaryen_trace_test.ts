import assert from "node:assert/strict";
import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import { wasmBls } from "../../src/proof/crypto/wasm_bls.ts";
import type { BlsExports } from "../../src/proof/crypto/wasm_bls_exports.ts";
import { sampled } from "../proof/crypto/bls_claim.ts";
import { scalarBytes } from "../proof/crypto/bls_oracle.ts";
import { instrumentedModule } from "./binaryen_trace.ts";
import { committedBuild, committedBuilds } from "./committed_builds.ts";
import { MESSAGE, randomScalar, secrets, signingOperations } from "./signing_operations.ts";
import { type ToyFunctions, toyModule } from "./toy_module.ts";

Deno.test("binaryen's passes find the leaks that they cover, and no others", () => {
  const { exports, traceOf } = instrumentedModule(toyModule());
  const toy = exports as unknown as ToyFunctions;
  const tracesOf = (name: string) =>
    new Set([...Array(64).keys()].map((secret) => traceOf(() => void toy[name]!(secret)).hash));
  for (const name of ["loadAddress", "storeAddress", "longStoreAddress", "vectorAddress"]) {
    assert.ok(tracesOf(name).size > 1, name);
  }
  for (const name of ["constantPower", "constantAddress"]) {
    assert.equal(tracesOf(name).size, 1, name);
  }
  assert.equal(toy["constantPower"]!(3), 27);
});

for (const name of committedBuilds("bls.")) {
  Deno.test(`${name}: binaryen's trace of signing is the same for every secret`, () => {
    const { exports, traceOf } = instrumentedModule(committedBuild(name));
    const bls = wasmBls(exports as unknown as BlsExports);
    for (const withSecret of Object.values(signingOperations(bls))) {
      // The first call of an instance may fill tables, which later ones find.
      withSecret(randomScalar())();
      const expected = traceOf(withSecret(randomScalar()));
      assert.ok(expected.events > 1_000);
      // A call out for every access takes a while: the other walker takes all of them.
      for (const secret of sampled(secrets(8), 4)) {
        assert.deepEqual(traceOf(withSecret(secret)), expected);
      }
    }
    const key = bls.skToPk(scalarBytes(5n));
    const signature = bls.sign(scalarBytes(5n), MESSAGE, BLS_SIGNATURE_DST);
    const verified = (signature: Uint8Array) =>
      traceOf(() => void bls.verify(key, MESSAGE, signature, BLS_SIGNATURE_DST));
    verified(signature);
    const good = verified(signature);
    assert.deepEqual(verified(signature), good);
    assert.notEqual(verified(signature.with(47, signature[47]! ^ 1)).hash, good.hash);
  });
}
