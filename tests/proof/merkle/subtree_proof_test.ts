import assert from "node:assert/strict";
import { isSubtree, verifySubtreeConsistency } from "../../../src/proof/merkle/subtree_proof.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { jsonVectors, vectorTest } from "../../vectors.ts";

interface Case {
  readonly case: string;
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly root1: string | null;
  readonly root2: string | null;
  readonly proof: readonly string[] | null;
  readonly wantErr: boolean;
}

vectorTest("subtree consistency vectors", "rfc9162/subtreeconsistency.json", (file) => {
  const cases = jsonVectors<readonly Case[]>(file);
  assert.equal(cases.length, 118);
  const bytes = (text: string | null) => Uint8Array.fromBase64(text ?? "");
  for (const { case: name, start, end, size, root1, root2, proof, wantErr } of cases) {
    const isValid = verifySubtreeConsistency(portableKernels, {
      start,
      end,
      size,
      subtreeRoot: bytes(root1),
      root: bytes(root2),
      path: (proof ?? []).map(bytes),
    });
    // These vectors accept empty subtrees and hashes of any length; we refuse both.
    const isOurs = start < end && [root1, root2].every((root) => bytes(root).length === 32);
    assert.equal(isValid, !wantErr && isOurs, name);
  }
});

Deno.test("isSubtree() takes ranges that begin at a multiple of the power of two that covers them", () => {
  const valid = [[0, 1], [0, 7], [7, 8], [8, 13], [4, 8], [4, 7], [6, 8], [0, 2 ** 53 - 1]];
  const invalid = [[0, 0], [1, 0], [1, 3], [4, 9], [8, 17], [-1, 1], [0.5, 1], [0, 2 ** 53]];
  for (const [start, end] of valid) assert(isSubtree({ start: start!, end: end! }), `${start}`);
  for (const [start, end] of invalid) assert(!isSubtree({ start: start!, end: end! }), `${start}`);
});
