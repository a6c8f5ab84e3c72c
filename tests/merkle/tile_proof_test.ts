import assert from "node:assert/strict";
import fc from "fast-check";
import { portableKernels } from "../../src/crypto/portable_kernels.ts";
import { hasCode } from "../../src/errors.ts";
import { verifyConsistency, verifyInclusion } from "../../src/merkle/proof.ts";
import type { NodeSource } from "../../src/merkle/tile.ts";
import {
  consistencyPath,
  inclusionPath,
  rootAt,
  subtreeHash,
} from "../../src/merkle/tile_proof.ts";
import { MemoryLog } from "./memory_log.ts";
import { ReferenceTree } from "./reference.ts";

const kernels = portableKernels;
const MOST_LEAVES = 100_000;
const tree = ReferenceTree.ofTexts(MOST_LEAVES);

/** The first `size` leaves, appended in batches of the sizes `batches`, over and over. */
function logOf(size: number, batches: readonly number[]): MemoryLog {
  const log = new MemoryLog(kernels);
  const leaves = tree.packed(size);
  for (let i = 0; log.tree.size < size; i++) {
    const start = log.tree.size;
    log.append(leaves.subarray(start * 32, (start + batches[i % batches.length]!) * 32));
  }
  return log;
}

const large = logOf(MOST_LEAVES, [1, 300, 16_384, 255, 256, 7000]);

function assertSame(found: readonly Uint8Array[], expected: readonly Uint8Array[]): void {
  assert.equal(found.length, expected.length);
  assert.equal(Buffer.compare(Buffer.concat(found), Buffer.concat(expected)), 0);
}

async function checkProofs(log: MemoryLog, first: number, second: number): Promise<void> {
  const [firstRoot, root] = [tree.root(first), tree.root(second)];
  const index = first - 1;
  const path = await inclusionPath(kernels, log.source(), index, second);
  assertSame(path, tree.inclusion(index, second));
  const leafHash = tree.leaves[index]!;
  assert(verifyInclusion(kernels, { leafHash, index, size: second, path, root }));
  const joining = await consistencyPath(kernels, log.source(), first, second);
  assertSame(joining, tree.consistency(first, second));
  const heads = { first, second, firstRoot, secondRoot: root };
  assert(verifyConsistency(kernels, { ...heads, path: joining }));
}

// Which ranges make up a proof is checked for every pair in proof_test.ts, and the hash of every range
// below; here the two meet, wherever a subtree or a tile begins or ends.
Deno.test("proofs of every pair around a boundary are those of the recursive definition", async () => {
  const log = logOf(300, [1, 2, 30, 100]);
  const sizes = Array.from({ length: 34 }, (_, size) => size + 1);
  for (const boundary of [64, 128, 256, 300]) sizes.push(boundary - 1, boundary, boundary + 1);
  for (const second of sizes.filter((size) => size <= 300)) {
    for (let first = 1; first <= second; first++) await checkProofs(log, first, second);
  }
});

Deno.test("proofs at any size that a log of 100,000 leaves had", async () => {
  const size = fc.oneof(
    fc.integer({ min: 1, max: MOST_LEAVES }),
    fc.integer({ min: 65_530, max: 65_800 }),
    fc.integer({ min: 1, max: 390 }).map((tiles) => tiles * 256),
  );
  await fc.assert(
    fc.asyncProperty(size, size, async (a, b) => {
      await checkProofs(large, Math.min(a, b), Math.max(a, b));
      assertSame([await rootAt(kernels, large.source(), a)], [tree.root(a)]);
    }),
    { numRuns: 200 },
  );
});

Deno.test("roots of every size to 600 and around the second level", async () => {
  const sizes = Array.from({ length: 601 }, (_, size) => size);
  for (let size = 65_279; size <= 65_794; size += 1) sizes.push(size);
  for (const size of sizes) {
    assertSame([await rootAt(kernels, large.source(), size)], [tree.root(size)]);
  }
});

Deno.test("every subtree within 300 leaves has its hash, and nothing else has", async () => {
  for (let start = 0; start < 300; start++) {
    for (let end = start; end <= 300; end++) {
      const hash = subtreeHash(kernels, large.source(), start, end, 300);
      const span = 2 ** Math.ceil(Math.log2(end - start));
      if (end > start && start % span === 0) {
        const expected = [tree.hash(start, end)];
        assertSame([await hash], expected);
        assertSame([await subtreeHash(kernels, large.source(), start, end, end)], expected);
      } else {
        await assert.rejects(hash, (error) => hasCode(error, "internal"));
      }
    }
  }
  for (const [start, end] of [[0, 301], [-1, 1], [-2, 0], [256, 301]] as const) {
    await assert.rejects(
      subtreeHash(kernels, large.source(), start, end, 300),
      (error) => hasCode(error, "internal"),
    );
  }
});

Deno.test("a proof reads few tiles", async () => {
  for (const index of [0, 255, 256, 50_000, 65_535, 65_536, 99_999]) {
    const source = large.source();
    await inclusionPath(kernels, source, index, MOST_LEAVES);
    // At each of three levels: the tile above the leaf, and the right edge.
    assert(source.read.size <= 6, `${source.read.size} tiles for ${index}`);
    const joining = large.source();
    await consistencyPath(kernels, joining, index + 1, MOST_LEAVES);
    assert(joining.read.size <= 6, `${joining.read.size} tiles for ${index + 1}`);
  }
  const whole = large.source();
  await subtreeHash(kernels, whole, 256, 512, MOST_LEAVES);
  assert.deepEqual([...whole.read], ["1/0"], "a whole tile is one node of the next level");
  const source = large.source();
  await rootAt(kernels, source, MOST_LEAVES);
  assert.deepEqual([...source.read].sort(), ["0/390", "1/1", "2/0"]);
});

Deno.test("what cannot be proved is a rejection", async () => {
  const source = large.source();
  const refused = [
    () => inclusionPath(kernels, source, 5, 5),
    () => inclusionPath(kernels, source, 0, 0),
    () => inclusionPath(kernels, source, -1, 5),
    () => consistencyPath(kernels, source, 0, 5),
    () => consistencyPath(kernels, source, 6, 5),
  ];
  for (const prove of refused) {
    await assert.rejects(prove(), (error) => hasCode(error, "internal"));
  }
  assert.equal(source.read.size, 0);
  assert.deepEqual(await consistencyPath(kernels, source, 5, 5), []);
});

Deno.test("a tile of another length than asked for is refused", async () => {
  for (const change of [-32, -1, 1, 32]) {
    const damaged: NodeSource = {
      async nodes(level, tile, width) {
        const nodes = await large.source().nodes(level, tile, width);
        const changed = new Uint8Array(nodes.length + change);
        changed.set(nodes.subarray(0, changed.length));
        return changed;
      },
    };
    const reads = [
      rootAt(kernels, damaged, 300),
      subtreeHash(kernels, damaged, 256, 300, 300),
      inclusionPath(kernels, damaged, 7, 1000),
      consistencyPath(kernels, damaged, 7, 1000),
    ];
    for (const result of await Promise.allSettled(reads)) {
      assert(result.status === "rejected" && hasCode(result.reason, "store_corrupt"));
    }
  }
});

Deno.test("a wrong node in a tile never passes for the log", async () => {
  const leafHash = tree.leaves[77]!;
  const root = tree.root(1000);
  for (const name of ["0/0", "0/1", "0/2", "0/3", "1/0"]) {
    const source = large.source();
    let damaged = false;
    const path = await inclusionPath(
      kernels,
      {
        async nodes(level, tile, width) {
          const nodes = (await source.nodes(level, tile, width)).slice();
          if (`${level}/${tile}` !== name) return nodes;
          damaged = true;
          for (let i = 0; i < nodes.length; i += 32) nodes[i]! ^= 1;
          return nodes;
        },
      },
      77,
      1000,
    );
    const verdict = verifyInclusion(kernels, { leafHash, index: 77, size: 1000, path, root });
    assert.equal(verdict, !damaged);
  }
});
