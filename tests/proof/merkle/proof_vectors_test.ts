/**
 * The vectors of transparency-dev/merkle, inclusion and consistency. Its two subtree families do
 * not apply, because our proofs never start at a subtree.
 *
 * @module
 */

import assert from "node:assert/strict";
import { bytesOfBase64 } from "../../../src/base/bytes.ts";
import type { Kernels } from "../../../src/proof/crypto/kernels.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { verifyConsistency, verifyInclusion } from "../../../src/proof/merkle/proof.ts";
import { jsonVectors, vectorTest } from "../../vectors.ts";

interface InclusionCase {
  readonly case: string;
  readonly leafIdx: number;
  readonly treeSize: number;
  readonly root: string | null;
  readonly leafHash: string | null;
  readonly proof: readonly (string | null)[] | null;
  readonly wantErr: boolean;
}

interface ConsistencyCase {
  readonly case: string;
  readonly size1: number;
  readonly size2: number;
  readonly root1: string | null;
  readonly root2: string | null;
  readonly proof: readonly (string | null)[] | null;
  readonly wantErr: boolean;
}

// Go writes an empty byte string and an empty list as null.
function bytes(text: string | null): Uint8Array {
  const decoded = bytesOfBase64(text ?? "");
  assert(decoded !== undefined, `${text} is base64`);
  return decoded;
}

function accepts(kernels: Kernels, vector: InclusionCase | ConsistencyCase): boolean {
  const path = (vector.proof ?? []).map(bytes);
  if ("leafIdx" in vector) {
    const { leafIdx: index, treeSize: size } = vector;
    const hashes = { leafHash: bytes(vector.leafHash), root: bytes(vector.root) };
    return verifyInclusion(kernels, { ...hashes, index, size, path });
  }
  const { size1: first, size2: second } = vector;
  const roots = { firstRoot: bytes(vector.root1), secondRoot: bytes(vector.root2) };
  return verifyConsistency(kernels, { ...roots, first, second, path });
}

const unprefixedKernels: Kernels = {
  ...portableKernels,
  nodeHash: (left, right) => portableKernels.sha256(Uint8Array.of(...left, ...right)),
};

for (const family of ["inclusion", "consistency"]) {
  vectorTest(`${family} vectors`, `rfc9162/${family}.json`, (file) => {
    const vectors = jsonVectors<(InclusionCase | ConsistencyCase)[]>(file);
    assert.equal(vectors.length, 98);
    assert.equal(vectors.filter((vector) => !vector.wantErr).length, 6);
    for (const vector of vectors) {
      assert.equal(accepts(portableKernels, vector), !vector.wantErr, vector.case);
    }
  });

  vectorTest(`${family} vectors catch a missing prefix`, `rfc9162/${family}.json`, (file) => {
    const vectors = jsonVectors<(InclusionCase | ConsistencyCase)[]>(file);
    const missed = vectors.filter((vector) =>
      accepts(unprefixedKernels, vector) !== !vector.wantErr
    );
    assert(missed.length > 0);
  });
}
