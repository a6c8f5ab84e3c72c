import assert from "node:assert/strict";
import fc from "fast-check";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { hasCode } from "../../../src/base/errors.ts";
import { partialWidth, TILE_WIDTH } from "../../../src/proof/merkle/tile.ts";
import { growTree, type TreeEdges } from "../../../src/proof/merkle/tile_growth.ts";
import { IS_LONG } from "../../long_runs.ts";
import { MemoryLog } from "./memory_log.ts";
import { ReferenceTree } from "./reference.ts";

const kernels = portableKernels;
const MOST_LEAVES = 70_000;
const tree = ReferenceTree.ofTexts(MOST_LEAVES);
const packed = tree.packed();

const empty: TreeEdges = { size: 0, edges: [] };

function leaves(start: number, end: number): Uint8Array {
  return packed.subarray(start * 32, end * 32);
}

/** Requires `log` to hold exactly the nodes of the tree of its size, by the definition. */
function checkTiles(log: MemoryLog): void {
  const { size, root, edges } = log.tree;
  assert.deepEqual(root, tree.root(size));
  let tiles = 0;
  for (let level = 0, span = 1; span <= size; level++, span *= TILE_WIDTH) {
    const nodes: Uint8Array[] = [];
    for (let end = span; end <= size; end += span) nodes.push(tree.hash(end - span, end));
    for (let first = 0; first < nodes.length; first += TILE_WIDTH) {
      const expected = Buffer.concat(nodes.slice(first, first + TILE_WIDTH));
      const name = `${level}/${first / TILE_WIDTH}`;
      const isFull = first + TILE_WIDTH <= nodes.length;
      const found = isFull ? log.tiles.get(name) : edges[level];
      assert(found !== undefined && Buffer.compare(found, expected) === 0, `tile ${name}`);
      if (isFull) tiles++;
    }
  }
  assert.equal(log.tiles.size, tiles, "no other tile");
  const widths = edges.map((edge) => edge.length / 32);
  assert.deepEqual(widths, widths.map((_, level) => partialWidth(level, size)));
}

Deno.test("a tree of 70,000 leaves has the tiles of c2sp.org/tlog-tiles", () => {
  const grown = growTree(kernels, empty, packed);
  assert.equal(grown.size, 70_000);
  assert.deepEqual(grown.edges.map((edge) => edge.length / 32), [112, 17, 1]);
  const names = grown.tiles.map(({ level, index }) => `${level}/${index}`);
  assert.deepEqual(names, [...Array.from({ length: 273 }, (_, i) => `0/${i}`), "1/0"]);
});

Deno.test("a tree grown in any batches has every node at its index", () => {
  const batch = fc.oneof(
    fc.nat(20),
    fc.constantFrom(255, 256, 257, 512),
    fc.nat(600),
    fc.constantFrom(16_384, 20_000),
  );
  fc.assert(
    fc.property(fc.array(batch, { minLength: 1, maxLength: 8 }), (batches) => {
      const log = new MemoryLog(kernels);
      for (const count of batches) {
        const { size } = log.tree;
        log.append(leaves(size, Math.min(size + count, MOST_LEAVES)));
        assert.deepEqual(log.tree.root, tree.root(log.tree.size));
      }
      checkTiles(log);
    }),
    { numRuns: IS_LONG ? 12 : 4 },
  );
});

Deno.test("one leaf at a time across two full tiles, and a tile boundary of the second level", () => {
  const log = new MemoryLog(kernels);
  while (log.tree.size < 520) {
    const { size } = log.tree;
    log.append(leaves(size, size + 1));
    // Around full tiles, and at other sizes in long runs.
    if (IS_LONG || (size + 3) % TILE_WIDTH < 6 || size % 29 === 0) checkTiles(log);
  }
  log.append(leaves(520, 65_534));
  for (let size = 65_534; size < 65_539; size++) {
    log.append(leaves(size, size + 1));
    if (IS_LONG || size === 65_535 || size === 65_538) checkTiles(log);
  }
});

Deno.test("growth by no leaves changes nothing", () => {
  const none = growTree(kernels, empty, new Uint8Array());
  assert.deepEqual(none, { size: 0, root: tree.root(0), tiles: [], edges: [] });
  const grown = growTree(kernels, empty, leaves(0, 300));
  assert.deepEqual(growTree(kernels, grown, new Uint8Array()), { ...grown, tiles: [] });
});

Deno.test("levels without an edge may be absent at the end", () => {
  const grown = growTree(kernels, empty, leaves(0, 300));
  const padded = { size: 300, edges: [...grown.edges, new Uint8Array(), new Uint8Array()] };
  assert.deepEqual(growTree(kernels, padded, leaves(300, 301)).root, tree.root(301));
});

Deno.test("edges that do not fit the size are refused", () => {
  const { edges } = growTree(kernels, empty, leaves(0, 300));
  const [low, high] = [edges[0]!, edges[1]!];
  const misfits: TreeEdges[] = [
    { size: 299, edges },
    { size: 301, edges },
    { size: 0, edges },
    { size: 300, edges: [] },
    { size: 300, edges: [low] },
    { size: 300, edges: [low.subarray(1), high] },
    { size: 300, edges: [low, new Uint8Array()] },
    { size: 300, edges: [low, high, high] },
    { size: 300 + 256, edges },
    { size: 256 ** 2, edges: [] },
  ];
  for (const misfit of misfits) {
    assert.throws(
      () => growTree(kernels, misfit, leaves(300, 301)),
      (error) => hasCode(error, "store_corrupt"),
    );
  }
  assert.throws(
    () => growTree(kernels, empty, new Uint8Array(33)),
    (error) => hasCode(error, "internal"),
  );
});

Deno.test("tiles and edges own their bytes", () => {
  const batch = leaves(0, 300).slice();
  const grown = growTree(kernels, empty, batch);
  batch.fill(0);
  for (const { hashes } of grown.tiles) assert.equal(hashes.buffer.byteLength, 8192);
  assert.deepEqual(grown.edges.map((edge) => edge.buffer.byteLength), [44 * 32, 32]);
  assert.deepEqual(growTree(kernels, grown, leaves(300, 301)).root, tree.root(301));
});

Deno.test("control: the check of the tiles detects a wrong node", () => {
  const log = new MemoryLog(kernels);
  log.append(leaves(0, 600));
  checkTiles(log);
  log.tiles.get("0/1")![8191]! ^= 1;
  assert.throws(() => checkTiles(log), assert.AssertionError);
});
