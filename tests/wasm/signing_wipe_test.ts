import assert from "node:assert/strict";
import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import { wasmBls } from "../../src/proof/crypto/wasm_bls.ts";
import type { BlsExports } from "../../src/proof/crypto/wasm_bls_exports.ts";
import { R, scalarBytes } from "../proof/crypto/bls_oracle.ts";
import { committedBuild, committedBuilds } from "./committed_builds.ts";
import { MESSAGE } from "./signing_operations.ts";

const SECRETS = [3n, R / 3n, 2n ** 200n + 5n];

/** Bytes of the point region. */
const POINT_LENGTH = 256;

function instance(name: string) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(committedBuild(name)));
  const wasm = exports as unknown as BlsExports;
  return { wasm, bls: wasmBls(wasm), bytes: new Uint8Array(wasm.memory.buffer) };
}

type Instance = ReturnType<typeof instance>;

function wordsOf({ wasm }: Instance): BigUint64Array {
  return new BigUint64Array(wasm.memory.buffer.slice(0));
}

/**
 * Asserts that after `run` with any secret every word of memory that depends on it is one that a
 * `reader` of the result has too: who knows a public key or a signature learns nothing more.
 */
function assertWiped(
  signer: Instance,
  run: (secret: bigint) => Uint8Array,
  reader: (result: Uint8Array) => Instance,
): void {
  // The first call of an instance may fill tables, which are public.
  run(1n);
  const runs = SECRETS.map((secret) => {
    const result = run(secret);
    return { words: wordsOf(signer), told: new Set(wordsOf(reader(result))) };
  });
  const changing = [...runs[0]!.words.keys()].filter((at) =>
    runs.some(({ words }) => words[at] !== runs[0]!.words[at])
  );
  assert.ok(changing.length > 20);
  for (const { words, told } of runs) {
    const left = changing.filter((at) => !told.has(words[at]!));
    assert.deepEqual(left.map((at) => 8 * at), []);
  }
}

for (const name of committedBuilds("bls.")) {
  Deno.test(`${name}: skToPk leaves nothing of the secret in memory`, () => {
    const signer = instance(name);
    assertWiped(signer, (secret) => signer.bls.skToPk(scalarBytes(secret)), (publicKey) => {
      const reader = instance(name);
      const { wasm, bytes } = reader;
      const at = signer.wasm.pointRegion();
      // A residue has several forms: the reader takes the point as it is, and writes the key.
      bytes.set(signer.bytes.subarray(at, at + POINT_LENGTH), wasm.pointRegion());
      wasm.encodeKey();
      assert.deepEqual(bytes.slice(wasm.keyRegion(), wasm.keyRegion() + 96), publicKey);
      return reader;
    });
  });
}

// No export takes a point of G1 as it is, so that forms of residues would differ in the other build,
// which has the same sources but for the field's. Of 56-bit words nearly all residues have one form.
Deno.test("bls.scalar: sign leaves nothing of the secret in memory", () => {
  const signer = instance("bls.scalar");
  assertWiped(
    signer,
    (secret) => signer.bls.sign(scalarBytes(secret), MESSAGE, BLS_SIGNATURE_DST),
    (signature) => {
      const reader = instance("bls.scalar");
      assert.deepEqual(reader.bls.aggregate([signature]), signature);
      return reader;
    },
  );
});
