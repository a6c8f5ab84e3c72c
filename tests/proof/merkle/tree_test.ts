import assert from "node:assert/strict";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { hasCode } from "../../../src/base/errors.ts";
import { emptyRoot, pathInLevels, treeLevels, treeRoot } from "../../../src/proof/merkle/tree.ts";
import { CompactRange } from "./compact_range.ts";
import { leafHash, ReferenceTree } from "./reference.ts";

const kernels = portableKernels;
const MOST_LEAVES = 300;
const reference = ReferenceTree.ofTexts(MOST_LEAVES);
const packed = reference.packed();

// The entries and roots of certificate-transparency `cpp/merkletree/merkle_tree_test.cc`.
const CT_ENTRIES = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
];
const CT_ROOTS = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

Deno.test("roots are those of the certificate transparency tests", () => {
  const ct = new ReferenceTree(CT_ENTRIES.map((entry) => leafHash(Uint8Array.fromHex(entry))));
  const range = CompactRange.empty();
  for (const [size, root] of CT_ROOTS.entries()) {
    assert.equal(treeRoot(kernels, ct.packed(size)).toHex(), root);
    assert.equal(range.root(kernels).toHex(), root);
    assert.equal(ct.root(size).toHex(), root, "the reference agrees");
    if (size < ct.leaves.length) range.append(kernels, ct.leaves[size]!);
  }
  assert.equal(emptyRoot(kernels).toHex(), CT_ROOTS[0]);
});

Deno.test("roots of every size are those of the recursive definition", () => {
  const range = CompactRange.empty();
  for (let size = 0; size <= MOST_LEAVES; size++) {
    const root = reference.root(size);
    assert.deepEqual(treeRoot(kernels, packed.subarray(0, size * 32)), root);
    assert.equal(range.size, size);
    assert.deepEqual(range.root(kernels), root);
    if (size < MOST_LEAVES) range.append(kernels, reference.leaves[size]!);
  }
});

Deno.test("paths of every leaf at every size are those of the recursive definition", () => {
  for (let size = 1; size <= MOST_LEAVES; size++) {
    const levels = treeLevels(kernels, packed.subarray(0, size * 32));
    assert.deepEqual(levels.at(-1), reference.root(size));
    for (let index = 0; index < size; index++) {
      const path = Buffer.concat(pathInLevels(levels, index));
      assert.equal(Buffer.compare(path, Buffer.concat(reference.inclusion(index, size))), 0);
    }
  }
});

Deno.test("each level has half the nodes, with an odd last node carried up", () => {
  const levels = treeLevels(kernels, reference.packed(13));
  assert.deepEqual(levels.map((level) => level.length / 32), [13, 7, 4, 2, 1]);
  assert.deepEqual(levels[1]!.subarray(6 * 32), reference.leaves[12]);
  assert.deepEqual(treeLevels(kernels, new Uint8Array()), []);
  assert.deepEqual(treeLevels(kernels, reference.packed(1)), [reference.leaves[0]]);
});

Deno.test("an index outside the tree is refused", () => {
  for (const size of [0, 1, 5]) {
    const levels = treeLevels(kernels, reference.packed(size));
    for (const index of [-1, size, size + 1, 0.5, NaN, Infinity]) {
      assert.throws(() => pathInLevels(levels, index), (error) => hasCode(error, "internal"));
    }
  }
});

Deno.test("a part of a hash is refused", () => {
  for (const length of [1, 31, 33, 63]) {
    const leaves = new Uint8Array(length);
    assert.throws(() => treeRoot(kernels, leaves), (error) => hasCode(error, "internal"));
    assert.throws(() => treeLevels(kernels, leaves), (error) => hasCode(error, "internal"));
  }
});

Deno.test("results own their bytes", () => {
  const leaves = reference.packed(3);
  const levels = treeLevels(kernels, leaves);
  const single = treeRoot(kernels, leaves.subarray(0, 32));
  const range = CompactRange.empty();
  range.append(kernels, leaves.subarray(0, 32));
  const path = pathInLevels(levels, 0);
  leaves.fill(0);
  range.root(kernels).fill(0);
  assert.deepEqual(levels.at(-1), reference.root(3));
  assert.deepEqual(single, reference.root(1));
  assert.deepEqual(range.root(kernels), reference.root(1));
  assert.deepEqual(path.map((hash) => hash.buffer.byteLength), [32, 32]);
});

Deno.test("a copy of a compact range grows independently", () => {
  for (let size = 0; size < 20; size++) {
    const range = CompactRange.empty();
    for (const leaf of reference.leaves.slice(0, size)) range.append(kernels, leaf);
    const copy = range.copy();
    copy.append(kernels, reference.leaves[size]!);
    assert.deepEqual(range.root(kernels), reference.root(size));
    assert.deepEqual(copy.root(kernels), reference.root(size + 1));
    assert.deepEqual([range.size, copy.size], [size, size + 1]);
  }
});

Deno.test("control: a hash without its prefix, or with swapped children, is detected", () => {
  const unprefixed = {
    ...kernels,
    nodeHash: (left: Uint8Array, right: Uint8Array) =>
      kernels.sha256(Uint8Array.of(...left, ...right)),
  };
  const swapped = {
    ...kernels,
    nodeHash: (left: Uint8Array, right: Uint8Array) => kernels.nodeHash(right, left),
  };
  for (const broken of [unprefixed, swapped]) {
    const range = CompactRange.empty();
    for (const leaf of reference.leaves.slice(0, 2)) range.append(broken, leaf);
    assert.notDeepEqual(range.root(broken), reference.root(2));
  }
});
