import assert from "node:assert/strict";
import { concat } from "../../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { rootsFromConsistency } from "../../../src/proof/merkle/proof.ts";
import { plainPath, showFirstRoot } from "../../../src/proof/merkle/shown_root.ts";
import { ReferenceTree, rootsFromConsistency as referenceRoots } from "./reference.ts";

const MOST = 40;
const tree = ReferenceTree.ofTexts(MOST);
const other = ReferenceTree.ofTexts(MOST, "other");
const pairs = Array.from({ length: MOST }, (_, i) => i + 1).flatMap((second) =>
  Array.from({ length: second - 1 }, (_, i) => [i + 1, second] as const)
);
const bytes = (hash: Uint8Array) => concat(hash);

Deno.test("rootsFromConsistency() returns both roots of the tree of a path", () => {
  for (const [first, second] of pairs) {
    const path = tree.consistency(first, second);
    const roots = { first: bytes(tree.root(first)), second: bytes(tree.root(second)) };
    const found = rootsFromConsistency(kernels, { first, second, firstRoot: roots.first, path });
    assert.deepEqual(found, roots);
    // For a power of two the path does not contain the first root; otherwise it determines it.
    const wrong = bytes(other.root(first));
    const isPerfect = showFirstRoot(first, wrong, []).length === 1;
    const misled = rootsFromConsistency(kernels, { first, second, firstRoot: wrong, path });
    if (isPerfect) assert.deepEqual(misled, referenceRoots(first, second, wrong, path));
    else assert.deepEqual(misled, roots);
  }
});

Deno.test("rootsFromConsistency() requires growth and a path of the right length", () => {
  const firstRoot = bytes(tree.root(5));
  const path = tree.consistency(5, 11).map(bytes);
  const good = { first: 5, second: 11, firstRoot, path };
  assert.ok(rootsFromConsistency(kernels, good));
  const bad = [
    { ...good, path: path.slice(1) },
    { ...good, path: [...path, firstRoot] },
    { ...good, path: path.with(0, firstRoot.subarray(1)) },
    { ...good, first: 0 },
    { ...good, second: 5, path: [] },
    { ...good, second: 4 },
    { ...good, first: 2.5 },
    { ...good, firstRoot: firstRoot.subarray(1) },
  ];
  for (const proof of bad) assert.equal(rootsFromConsistency(kernels, proof), undefined);
});

Deno.test("plainPath() undoes showFirstRoot(), and returns other paths unchanged", () => {
  for (const [first, second] of pairs) {
    const root = bytes(tree.root(first));
    const path = tree.consistency(first, second).map(bytes);
    const shown = showFirstRoot(first, root, path);
    const isPerfect = (first & (first - 1)) === 0;
    assert.equal(shown.length, path.length + (isPerfect ? 1 : 0));
    assert.deepEqual(
      plainPath(first, second, shown),
      isPerfect ? { shownRoot: root, path } : { path },
    );
    assert.deepEqual(plainPath(first, second, path), { path });
    assert.deepEqual(plainPath(first, second, [root, root, ...path]).shownRoot, undefined);
  }
  assert.deepEqual(plainPath(4, 4, []), { path: [] });
  assert.deepEqual(plainPath(0, 4, []), { path: [] });
  assert.deepEqual(plainPath(2 ** 52 + 1, 2 ** 53 - 1, []), { path: [] });
});
