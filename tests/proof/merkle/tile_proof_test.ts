import assert from "node:assert/strict";
import fc from "fast-check";
import { loadCompiledKernels } from "../../../src/proof/crypto/compiled_kernels.ts";
import { hasCode } from "../../../src/base/errors.ts";
import { verifyConsistency, verifyInclusion } from "../../../src/proof/merkle/proof.ts";
import type { NodeSource } from "../../../src/proof/merkle/tile.ts";
import { type ProofCaches, TileProver } from "../../../src/proof/merkle/tile_proof.ts";
import { IS_LONG } from "../../long_runs.ts";
import { MemoryLog } from "./memory_log.ts";
import { ReferenceTree } from "./reference.ts";

const kernels = await loadCompiledKernels();
const MOST_LEAVES = 100_000;
const tree = ReferenceTree.ofTexts(MOST_LEAVES);

/** The first `size` leaves, appended in repeating batches of the sizes `batches`. */
function logOf(size: number, batches: readonly number[]): MemoryLog {
  const log = new MemoryLog(kernels);
  const leaves = tree.packed(size);
  for (let i = 0; log.tree.size < size; i++) {
    const start = log.tree.size;
    log.append(leaves.subarray(start * 32, (start + batches[i % batches.length]!) * 32));
  }
  return log;
}

const CACHES: ProofCaches = { tiles: 64, sizes: 64 };

/** A prover with empty caches. */
function proverOf(source: NodeSource, caches = CACHES): TileProver {
  return new TileProver(kernels, source, caches);
}

const large = logOf(MOST_LEAVES, [1, 300, 16_384, 255, 256, 7000]);

function assertSame(found: readonly Uint8Array[], expected: readonly Uint8Array[]): void {
  assert.equal(found.length, expected.length);
  assert.equal(Buffer.compare(Buffer.concat(found), Buffer.concat(expected)), 0);
}

/**
 * Checks the proofs of `prover`; by default each proof has a new prover, which must not read a tile
 * twice.
 */
async function checkProofs(
  log: MemoryLog,
  first: number,
  second: number,
  prover?: TileProver,
): Promise<void> {
  const [firstRoot, root] = [tree.root(first), tree.root(second)];
  const index = first - 1;
  const path = await (prover ?? proverOf(log.source())).inclusionPath(index, second);
  assertSame(path, tree.inclusion(index, second));
  const hex = await (prover ?? proverOf(log.source())).inclusionHex(
    index,
    second,
    tree.leaves[index]!.toHex(),
  );
  assert.deepEqual(hex, path.map((node) => node.toHex()));
  const leafHash = tree.leaves[index]!;
  assert(verifyInclusion(kernels, { leafHash, index, size: second, path, root }));
  const joining = await (prover ?? proverOf(log.source())).consistencyPath(first, second);
  assertSame(joining, tree.consistency(first, second));
  const heads = { first, second, firstRoot, secondRoot: root };
  assert(verifyConsistency(kernels, { ...heads, path: joining }));
}

// proof_test.ts checks the ranges of every proof, and tests below check the hash of every range.
// This test combines both around each boundary of a subtree or a tile.
Deno.test("proofs of every pair around a boundary are those of the recursive definition", async () => {
  const log = logOf(300, [1, 2, 30, 100]);
  const sizes = Array.from({ length: IS_LONG ? 34 : 17 }, (_, size) => size + 1);
  for (const boundary of [64, 128, 256, 300]) sizes.push(boundary - 1, boundary, boundary + 1);
  for (const second of sizes.filter((size) => size <= 300)) {
    const step = IS_LONG || second < 35 ? 1 : 5;
    for (let first = 1 + second % step; first <= second; first += step) {
      await checkProofs(log, first, second);
    }
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
      assertSame([await proverOf(large.source()).root(a)], [tree.root(a)]);
    }),
    { numRuns: IS_LONG ? 200 : 50 },
  );
});

Deno.test("roots of every size to 600 and around the second level", async () => {
  const sizes = Array.from({ length: 601 }, (_, size) => size);
  for (let size = 65_279; size <= 65_794; size += IS_LONG ? 1 : 17) sizes.push(size);
  for (const size of sizes) {
    assertSame([await proverOf(large.source()).root(size)], [tree.root(size)]);
  }
});

Deno.test("every proof within 300 leaves, with caches smaller than the working set", async () => {
  const all = [{ tiles: 1, sizes: 1 }, { tiles: 2, sizes: 3 }, { tiles: 64, sizes: 301 }];
  for (const [kind, caches] of all.flatMap((one) => [["tiles", one], ["groups", one]] as const)) {
    // The log grows meanwhile: a partial tile becomes full.
    const log = new MemoryLog(kernels);
    const prover = proverOf(kind === "tiles" ? log.rereadable() : log.grouped(), caches);
    for (let size = 1; size <= 300; size++) {
      log.append(tree.packed(size, size - 1));
      assertSame([await prover.root(size)], [tree.root(size)]);
      const step = !IS_LONG ? 31 : caches.tiles === 64 ? 1 : 7;
      for (let index = size % step; index < size; index += step) {
        const expected = tree.inclusion(index, size);
        assertSame(await prover.inclusionPath(index, size), expected);
        const hex = await prover.inclusionHex(index, size, tree.leaves[index]!.toHex());
        assert.equal(hex.join(""), Buffer.concat(expected).toString("hex"));
        const first = index + 1;
        assertSame(await prover.consistencyPath(first, size), tree.consistency(first, size));
      }
    }
    for (const size of [1, 2, 255, 256, 257, 299]) {
      for (let index = 0; index < size; index++) {
        assertSame(await prover.inclusionPath(index, size), tree.inclusion(index, size));
      }
    }
  }
});

Deno.test("one prover with concurrent calls in any order proves the same as new provers", async () => {
  const size = fc.oneof(
    fc.integer({ min: 1, max: MOST_LEAVES }),
    fc.integer({ min: 65_530, max: 65_800 }),
    fc.integer({ min: 99_800, max: MOST_LEAVES }),
  );
  const pair = fc.tuple(size, size).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  const limit = fc.integer({ min: 1, max: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(pair, { maxLength: 8 }),
      limit,
      limit,
      async (pairs, tiles, sizes) => {
        for (const source of [large.rereadable(), large.grouped()]) {
          const prover = proverOf(source, { tiles, sizes });
          for (let again = 0; again < 2; again++) {
            await Promise.all(
              pairs.map(([first, second]) => checkProofs(large, first, second, prover)),
            );
          }
        }
      },
    ),
    { numRuns: 30 },
  );
});

Deno.test("cached tiles are used synchronously, and not read again", async () => {
  const source = large.source();
  const prover = proverOf(source);
  await prover.inclusionPath(50_000, MOST_LEAVES);
  const read = source.read.size;
  for (const index of [50_000, 50_001, 49_999]) {
    const path = prover.inclusionPath(index, MOST_LEAVES);
    assert(!(path instanceof Promise));
    assertSame(path, tree.inclusion(index, MOST_LEAVES));
  }
  assert.equal(source.read.size, read);
});

Deno.test("a failed read is repeated by the next call", async () => {
  let failing = true;
  const prover = proverOf({
    nodes(level, tile, width) {
      if (failing) return Promise.reject(new Error("out of reach"));
      return large.source().nodes(level, tile, width);
    },
  });
  await assert.rejects(async () => await prover.inclusionPath(7, 1000), /out of reach/);
  await assert.rejects(async () => await prover.root(1000), /out of reach/);
  failing = false;
  assertSame(await prover.inclusionPath(7, 1000), tree.inclusion(7, 1000));
});

Deno.test("a proof reads few tiles", async () => {
  for (const index of [0, 255, 256, 50_000, 65_535, 65_536, 99_999]) {
    const source = large.source();
    await proverOf(source).inclusionPath(index, MOST_LEAVES);
    // At each of three levels: the tile above the leaf, and the right edge.
    assert(source.read.size <= 6, `${source.read.size} tiles for ${index}`);
    const joining = large.source();
    await proverOf(joining).consistencyPath(index + 1, MOST_LEAVES);
    assert(joining.read.size <= 6, `${joining.read.size} tiles for ${index + 1}`);
  }
  const source = large.source();
  await proverOf(source).root(MOST_LEAVES);
  assert.deepEqual([...source.read].sort(), ["0/390", "1/1", "2/0"]);
});

Deno.test("an impossible proof rejects", async () => {
  const source = large.source();
  const prover = proverOf(source);
  const refused = [
    async () => await prover.inclusionPath(5, 5),
    async () => await prover.inclusionPath(0, 0),
    async () => await prover.inclusionPath(-1, 5),
    async () => await prover.inclusionHex(5, 5, tree.leaves[5]!.toHex()),
    async () => await prover.consistencyPath(0, 5),
    async () => await prover.consistencyPath(6, 5),
  ];
  for (const prove of refused) {
    await assert.rejects(prove(), (error) => hasCode(error, "internal"));
  }
  assert.equal(source.read.size, 0);
  assert.deepEqual(await prover.consistencyPath(5, 5), []);
});

Deno.test("a tile of a wrong length is refused", async () => {
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
      proverOf(damaged).root(300),
      proverOf(damaged).inclusionPath(7, 1000),
      proverOf(damaged).consistencyPath(7, 1000),
    ];
    for (const result of await Promise.allSettled(reads)) {
      assert(result.status === "rejected" && hasCode(result.reason, "store_corrupt"));
    }
  }
});

Deno.test("a wrong node in a tile never yields a valid proof", async () => {
  const leafHash = tree.leaves[77]!;
  const root = tree.root(1000);
  for (const name of ["0/0", "0/1", "0/2", "0/3", "1/0"]) {
    const source = large.source();
    let damaged = false;
    const prover = proverOf(
      {
        async nodes(level, tile, width) {
          const nodes = (await source.nodes(level, tile, width)).slice();
          if (`${level}/${tile}` !== name) return nodes;
          damaged = true;
          for (let i = 0; i < nodes.length; i += 32) nodes[i]! ^= 1;
          return nodes;
        },
      },
    );
    const path = await prover.inclusionPath(77, 1000);
    const verdict = verifyInclusion(kernels, { leafHash, index: 77, size: 1000, path, root });
    assert.equal(verdict, !damaged);
  }
});
