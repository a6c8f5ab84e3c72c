import assert from "node:assert/strict";
import fc from "fast-check";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import {
  fullTiles,
  parseTilePath,
  partialWidth,
  rootOfEdges,
  TILE_WIDTH,
  type TileAddress,
  tilePath,
  tileWidth,
} from "../../../src/proof/merkle/tile.ts";
import { ReferenceTree } from "./reference.ts";

const address: fc.Arbitrary<TileAddress> = fc.record({
  level: fc.oneof(fc.nat(63), fc.constant("entries" as const)),
  index: fc.oneof(fc.nat(2000), fc.constantFrom(999, 1000, 999_999, 1_000_000), fc.maxSafeNat()),
  width: fc.oneof(fc.integer({ min: 1, max: 256 }), fc.constant(256)),
}, { noNullPrototype: true });

Deno.test("tilePath() follows c2sp.org/tlog-tiles", () => {
  const paths: [string, TileAddress][] = [
    ["tile/0/x001/x234/067", { level: 0, index: 1_234_067, width: 256 }],
    ["tile/0/x001/x234/067.p/8", { level: 0, index: 1_234_067, width: 8 }],
    ["tile/entries/x001/x234/067.p/255", { level: "entries", index: 1_234_067, width: 255 }],
    ["tile/0/000", { level: 0, index: 0, width: 256 }],
    ["tile/2/000.p/1", { level: 2, index: 0, width: 1 }],
    ["tile/63/999", { level: 63, index: 999, width: 256 }],
    ["tile/1/x001/000", { level: 1, index: 1000, width: 256 }],
    ["tile/1/x999/999", { level: 1, index: 999_999, width: 256 }],
    ["tile/6/x009/x007/x199/x254/x740/991", { level: 6, index: 2 ** 53 - 1, width: 256 }],
  ];
  for (const [path, tile] of paths) {
    assert.equal(tilePath(tile.level, tile.index, tile.width), path);
    assert.deepEqual(parseTilePath(path), tile);
  }
});

Deno.test("a tile path parses to the tile that it was made from", () => {
  fc.assert(fc.property(address, (tile) => {
    assert.deepEqual(parseTilePath(tilePath(tile.level, tile.index, tile.width)), tile);
  }));
});

Deno.test("every text that parses as a tile path is canonical", () => {
  const near = fc.tuple(
    fc.constantFrom("tile/", "tile", "/tile/", "tile//", "TILE/"),
    fc.oneof(fc.nat(70).map(String), fc.constantFrom("entries", "00", "01", "-1", "", "data")),
    fc.array(fc.constantFrom("/x000", "/x001", "/000", "/001", "/x12", "/1234", "/x999"), {
      maxLength: 7,
    }),
    fc.constantFrom("", ".p/1", ".p/255", ".p/256", ".p/0", ".p/01", ".p/", ".p/300", "/", "\n"),
  ).map(([head, level, groups, tail]) => head + level + groups.join("") + tail);
  const damaged = fc.tuple(address, fc.nat(40), fc.constantFrom("", "0", "x", "/", ".", "p", " "))
    .map(([{ level, index, width }, at, character]) => {
      const path = tilePath(level, index, width);
      return path.slice(0, at) + character + path.slice(at + 1);
    });
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(near, damaged, fc.string()), (text) => {
      const tile = parseTilePath(text);
      if (tile === undefined) return;
      accepted++;
      assert.equal(tilePath(tile.level, tile.index, tile.width), text);
      assert(tile.width >= 1 && tile.width <= TILE_WIDTH && Number.isSafeInteger(tile.index));
    }),
    { numRuns: 5000 },
  );
  assert(accepted > 0, "some texts are paths");
});

Deno.test("other texts are not tile paths", () => {
  const refused = [
    "",
    "tile",
    "tile/0",
    "tile/0/",
    "tile/0/0",
    "tile/0/00",
    "tile/0/0000",
    "tile/0/001/",
    "/tile/0/001",
    "tile/00/001",
    "tile/01/001",
    "tile/64/001",
    "tile/100/001",
    "tile/-1/001",
    "tile/data/001",
    "tile/Entries/001",
    "tile/0/x000/001",
    "tile/0/x001/x000",
    "tile/0/001/001",
    "tile/0/x001",
    "tile/0/X001/001",
    "tile/0/001.p/0",
    "tile/0/001.p/01",
    "tile/0/001.p/256",
    "tile/0/001.p/257",
    "tile/0/001.p/",
    "tile/0/001.p/1/",
    "tile/0/001.p/1.p/1",
    "tile/0/001p/1",
    "tile/0/001.p/+1",
    "tile/0/001\n",
    "tile/0/x009/x007/x199/x254/x740/992",
    "tile/0/x001/x000/x000/x000/x000/x000/000",
    "tile/0/٠٠١",
  ];
  for (const text of refused) assert.equal(parseTilePath(text), undefined, text);
});

Deno.test("the tiles of a tree are those of its size", () => {
  // Size, then the number of full tiles and the partial width per level.
  const trees: [number, [number, number][]][] = [
    [0, [[0, 0], [0, 0]]],
    [1, [[0, 1], [0, 0]]],
    [255, [[0, 255], [0, 0]]],
    [256, [[1, 0], [0, 1], [0, 0]]],
    [257, [[1, 1], [0, 1], [0, 0]]],
    [65_536, [[256, 0], [1, 0], [0, 1], [0, 0]]],
    [70_000, [[273, 112], [1, 17], [0, 1], [0, 0]]],
    [2 ** 53 - 1, [
      [2 ** 45 - 1, 255],
      [2 ** 37 - 1, 255],
      [2 ** 29 - 1, 255],
      [2 ** 21 - 1, 255],
      [2 ** 13 - 1, 255],
      [31, 255],
      [0, 31],
      [0, 0],
    ]],
  ];
  for (const [size, levels] of trees) {
    for (const [level, [full, width]] of levels.entries()) {
      assert.equal(fullTiles(level, size), full, `${size}, level ${level}`);
      assert.equal(partialWidth(level, size), width, `${size}, level ${level}`);
      if (full > 0) assert.equal(tileWidth(level, full - 1, size), TILE_WIDTH);
      assert.equal(tileWidth(level, full, size), width);
      assert.equal(tileWidth(level, full + 1, size), 0);
    }
    assert.equal(fullTiles(63, size), 0);
    assert.equal(partialWidth(63, size), 0);
  }
});

Deno.test("edges give the root, with empty levels anywhere", () => {
  const tree = ReferenceTree.ofTexts(600);
  for (const size of [0, 1, 2, 3, 255, 256, 257, 300, 511, 512, 513, 600]) {
    const whole = Math.floor(size / 256);
    const nodes = Array.from({ length: whole }, (_, i) => tree.hash(256 * i, 256 * (i + 1)));
    const edges = [tree.packed(size, whole * 256), new Uint8Array(Buffer.concat(nodes))];
    assert.deepEqual(rootOfEdges(portableKernels, edges), tree.root(size));
    const padded = [...edges, new Uint8Array(), new Uint8Array()];
    assert.deepEqual(rootOfEdges(portableKernels, padded), tree.root(size));
  }
  assert.deepEqual(rootOfEdges(portableKernels, []), tree.root(0));
});
