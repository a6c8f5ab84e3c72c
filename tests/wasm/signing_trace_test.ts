import assert from "node:assert/strict";
import type { Bls } from "../../src/proof/crypto/bls.ts";
import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import { wasmBls } from "../../src/proof/crypto/wasm_bls.ts";
import type { BlsExports } from "../../src/proof/crypto/wasm_bls_exports.ts";
import { scalarBytes } from "../proof/crypto/bls_oracle.ts";
import { committedBuild, committedBuilds } from "./committed_builds.ts";
import { MESSAGE, randomScalar, secrets, signingOperations } from "./signing_operations.ts";
import { firstDifference, tracedModule, type TraceGlobals, traceOf } from "./traced_module.ts";

/** The committed build of this name, traced. */
function tracedBls(name: string): { bls: Bls; globals: TraceGlobals } {
  const module = new WebAssembly.Module(tracedModule(committedBuild(name)));
  const { exports } = new WebAssembly.Instance(module);
  const bls = wasmBls(exports as unknown as BlsExports);
  return { bls, globals: exports as unknown as TraceGlobals };
}

for (const name of committedBuilds("bls.")) {
  const { bls, globals } = tracedBls(name);
  for (const [operation, withSecret] of Object.entries(signingOperations(bls))) {
    Deno.test(`${name}: branches and addresses of ${operation} do not depend on the secret`, () => {
      // The first call of an instance may fill tables, which later ones find.
      withSecret(randomScalar())();
      const reference = randomScalar();
      const expected = traceOf(globals, withSecret(reference));
      assert.ok(expected.events > 1_000);
      for (const secret of secrets(24)) {
        const trace = traceOf(globals, withSecret(secret));
        if (trace.hash === expected.hash) continue;
        const site = firstDifference(globals, withSecret(secret), withSecret(reference));
        assert.deepEqual(trace, expected, `byte ${site} of ${name}.wasm depends on the secret`);
      }
    });
  }

  Deno.test(`${name}: a trace depends on values that are not secret`, () => {
    const secret = scalarBytes(randomScalar());
    const publicKey = bls.skToPk(secret);
    const signature = bls.sign(secret, MESSAGE, BLS_SIGNATURE_DST);
    const traceBy = (message: Uint8Array, signature: Uint8Array) =>
      traceOf(globals, () => void bls.verify(publicKey, message, signature, BLS_SIGNATURE_DST));
    // The first verification decodes the key, and later ones find it decoded.
    traceBy(MESSAGE, signature);
    const good = traceBy(MESSAGE, signature);
    assert.deepEqual(traceBy(MESSAGE, signature), good);
    assert.notEqual(traceBy(MESSAGE, signature.with(47, signature[47]! ^ 1)).hash, good.hash);
    assert.notEqual(traceBy(new Uint8Array(500), signature).hash, good.hash);
    const long = traceOf(globals, () => void bls.sign(secret, new Uint8Array(500), "DST"));
    const short = traceOf(globals, () => void bls.sign(secret, new Uint8Array(5), "DST"));
    assert.notEqual(long.hash, short.hash);
  });
}
