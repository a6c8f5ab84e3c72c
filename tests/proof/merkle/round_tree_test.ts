import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import type { Kernels } from "../../../src/proof/crypto/kernels.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { buildRoundTree, type Round, RoundTreeMemo } from "../../../src/proof/merkle/round_tree.ts";
import { leafHash, ReferenceTree } from "./reference.ts";
import { digestsOf, manyDigests } from "../../witness/fixture.ts";

const round = (change: Partial<Round> = {}): Round => ({
  networkId: "log.example/test",
  timestamp: 1_800_000_000,
  first: 7,
  digests: digestsOf("a", "b", "c"),
  ...change,
});

function referenceOf({ networkId, timestamp, first, digests }: Round): ReferenceTree {
  const count = digests.length / 32;
  return new ReferenceTree(Array.from({ length: count }, (_, i) => {
    const hash = digests.slice(i * 32, i * 32 + 32).toHex();
    return leafHash(
      utf8(`countersign/attestation/v1\n${networkId}\n${hash}\n${timestamp}\n${first + i}\n`),
    );
  }));
}

/** Kernels that count the trees whose leaves they hash. */
function countingKernels(): { readonly kernels: Kernels; readonly count: () => number } {
  let built = 0;
  return {
    kernels: {
      ...kernels,
      numberedLeafHashes(texts) {
        built++;
        return kernels.numberedLeafHashes(texts);
      },
    },
    count: () => built,
  };
}

Deno.test("buildRoundTree() is the RFC 9162 tree over the attestations' texts", () => {
  for (const size of [1, 2, 3, 31, 32, 33, 511, 512]) {
    const it = round({ digests: manyDigests(size), first: 2 ** 53 - 512 });
    const tree = buildRoundTree(kernels, it);
    const reference = referenceOf(it);
    assert.deepEqual(tree.leaves, reference.packed());
    assert.deepEqual(tree.root, new Uint8Array(reference.root(size)));
    assert.deepEqual(tree.levels[0], tree.leaves);
    assert.deepEqual(tree.levels.at(-1), tree.root);
  }
});

Deno.test("RoundTreeMemo.build() computes a round once", () => {
  const { kernels, count } = countingKernels();
  const memo = new RoundTreeMemo(kernels);
  const tree = memo.build(round());
  assert.equal(memo.build(round({ digests: digestsOf("a", "b", "c") })), tree);
  assert.equal(count(), 1);
  assert.deepEqual(tree, buildRoundTree(kernels, round()));
});

Deno.test("RoundTreeMemo.build() distinguishes rounds that differ in any field", () => {
  const memo = new RoundTreeMemo(kernels);
  const variants = [
    round(),
    round({ networkId: "log.example/tes" }),
    round({ timestamp: 1_800_000_001 }),
    round({ first: 8 }),
    round({ digests: digestsOf("a", "b", "d") }),
    round({ digests: digestsOf("a", "b") }),
    round({ digests: digestsOf("b", "a", "c") }),
  ];
  const roots = new Set<string>();
  for (const _ of [1, 2]) {
    for (const variant of variants) {
      const { root } = memo.build(variant);
      assert.deepEqual(root, buildRoundTree(kernels, variant).root);
      roots.add(root.toHex());
    }
  }
  assert.equal(roots.size, variants.length);
});

Deno.test("RoundTreeMemo.build() copies its input", () => {
  const memo = new RoundTreeMemo(kernels);
  const digests = digestsOf("a", "b", "c");
  memo.build(round({ digests }));
  digests[0]! ^= 1;
  assert.deepEqual(
    memo.build(round({ digests })).root,
    buildRoundTree(kernels, round({ digests })).root,
  );
});

Deno.test("RoundTreeMemo keeps the newest trees up to its limit", () => {
  const { kernels, count } = countingKernels();
  const memo = new RoundTreeMemo(kernels, 3);
  for (const first of [1, 2, 3, 4]) memo.build(round({ first }));
  assert.equal(count(), 4);
  for (const first of [2, 3, 4]) memo.build(round({ first }));
  assert.equal(count(), 4);
  memo.build(round({ first: 1 }));
  assert.equal(count(), 5);
});
