/**
 * Growing a tree by a batch, proving a leaf from tiles, and verifying the proof: with the kernels of
 * a server, and with the portable ones.
 *
 * @module
 */

import { concat, HASH_LENGTH } from "../src/base/bytes.ts";
import { loadCompiledKernels } from "../src/proof/crypto/compiled_kernels.ts";
import type { Kernels } from "../src/proof/crypto/kernels.ts";
import { portableKernels } from "../src/proof/crypto/portable_kernels.ts";
import { verifyConsistency, verifyInclusion } from "../src/proof/merkle/proof.ts";
import { fullTiles, type NodeSource } from "../src/proof/merkle/tile.ts";
import { type GrownTree, growTree } from "../src/proof/merkle/tile_growth.ts";
import { TileProver } from "../src/proof/merkle/tile_proof.ts";
import { pathInLevels, treeLevels, treeRoot } from "../src/proof/merkle/tree.ts";
import { benchTrials } from "./bench_trials.ts";
import { randomDigests } from "./digests.ts";
import { BATCH_OPERATION, hashingTrials } from "./hashing_operations.ts";

const kernels = await loadCompiledKernels();

/** The maximum number of leaves of a batch. */
const BATCH = 16_384;

const leaves = randomDigests(BATCH);
const grown = growTree(kernels, { size: 0, edges: [] }, leaves);

for (const count of [1, 512, BATCH]) {
  const group = `grow a tree of ${BATCH} leaves by ${count}`;
  const added = leaves.subarray(0, count * HASH_LENGTH);
  const all = concat(leaves, added);

  Deno.bench("tiles", { group, baseline: true }, () => {
    growTree(kernels, grown, added);
  });

  Deno.bench("tiles, portable kernels", { group }, () => {
    growTree(portableKernels, grown, added);
  });

  Deno.bench("root from all leaves", { group }, () => {
    treeRoot(kernels, all);
  });
}

benchTrials(BATCH_OPERATION.name, hashingTrials(BATCH_OPERATION));

/** The tiles of a tree that grew in one step. */
function sourceOf(tree: GrownTree): NodeSource {
  const tiles = new Map(
    tree.tiles.map(({ level, index, hashes }) => [`${level}/${index}`, hashes]),
  );
  return {
    nodes(level, tile, width) {
      const isFull = tile < fullTiles(level, tree.size);
      const nodes = isFull ? tiles.get(`${level}/${tile}`)! : tree.edges[level]!;
      return Promise.resolve(nodes.subarray(0, width * HASH_LENGTH));
    },
  };
}

const SIZE = BATCH - 1;
const INDEX = 5_000;
const source = sourceOf(grown);
const newProver = (kernels: Kernels) => new TileProver(kernels, source, { tiles: 256, sizes: 16 });
const prover = newProver(kernels);
const path = await prover.inclusionPath(INDEX, SIZE);
const root = await prover.root(SIZE);
const firstRoot = await prover.root(INDEX);
const consistency = await prover.consistencyPath(INDEX, SIZE);
const leafHash = leaves.slice(INDEX * HASH_LENGTH, (INDEX + 1) * HASH_LENGTH);

Deno.bench("from tiles", { group: "prove inclusion", baseline: true }, async () => {
  await newProver(kernels).inclusionPath(INDEX, SIZE);
});

Deno.bench("from tiles in memory", { group: "prove inclusion" }, () => {
  prover.inclusionPath(INDEX, SIZE);
});

Deno.bench("from tiles, portable kernels", { group: "prove inclusion" }, async () => {
  await newProver(portableKernels).inclusionPath(INDEX, SIZE);
});

Deno.bench("from all leaves", { group: "prove inclusion" }, () => {
  pathInLevels(treeLevels(kernels, leaves), INDEX);
});

Deno.bench("from tiles", { group: "prove consistency" }, async () => {
  await newProver(kernels).consistencyPath(INDEX, SIZE);
});

Deno.bench("inclusion", { group: "verify" }, () => {
  verifyInclusion(kernels, { leafHash, index: INDEX, size: SIZE, path, root });
});

Deno.bench("consistency", { group: "verify" }, () => {
  verifyConsistency(kernels, {
    first: INDEX,
    second: SIZE,
    firstRoot,
    secondRoot: root,
    path: consistency,
  });
});
