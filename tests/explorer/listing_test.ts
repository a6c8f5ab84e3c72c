import assert from "node:assert/strict";
import fc from "fast-check";
import { hasCode } from "../../src/base/errors.ts";
import { parseBatch, parseBatches } from "../../src/client/gateway_answers.ts";
import { entryRanges } from "../../src/explorer/entry_reader.ts";
import { appendOlder, prependNewer } from "../../src/explorer/explore/use_batches.ts";
import { tileCount, tileLevels, tilesOf } from "../../src/explorer/tile_list.ts";
import type { Batch } from "../../src/proof/format/bundle.ts";
import { parseTilePath, tileWidth } from "../../src/proof/merkle/tile.ts";

function batch(first_index: number, tree_size: number): Batch {
  return {
    id: tree_size,
    network_id: "net.example",
    root_hash: "00".repeat(32),
    tree_size,
    first_index,
    attestation_count: tree_size - first_index,
    period_start: first_index,
    period_end: tree_size,
  };
}

const refused = (error: unknown) => hasCode(error, "malformed_bundle");

Deno.test("batches are read as listed, and refused out of order or at odds with themselves", () => {
  const list = [batch(5, 9), batch(2, 5)];
  assert.deepEqual(parseBatches(JSON.stringify(list)), list);
  assert.deepEqual(parseBatches("[]"), []);
  assert.deepEqual(parseBatch(JSON.stringify(list[0])), list[0]);
  const wrong: unknown[] = [
    {},
    [list[1], list[0]],
    [list[0], list[0]],
    [{ ...list[0], id: 8 }],
    [{ ...list[0], attestation_count: 3 }],
    [{ ...list[0], more: 1 }],
    [{ ...list[0], tree_size: -9, id: -9 }],
  ];
  for (const value of wrong) assert.throws(() => parseBatches(JSON.stringify(value)), refused);
});

Deno.test("pages of batches join without a gap and without a repetition", () => {
  const known = [batch(5, 9), batch(2, 5)];
  assert.deepEqual(appendOlder(known, [batch(2, 5), batch(0, 2)]), [...known, batch(0, 2)]);
  assert.deepEqual(prependNewer(known, [batch(9, 12), batch(5, 9)]), [batch(9, 12), ...known]);
  assert.deepEqual(prependNewer(known, known), known);
  assert.equal(prependNewer(known, [batch(12, 14)]), undefined);
  assert.deepEqual(prependNewer([], [batch(12, 14)]), [batch(12, 14)]);
});

Deno.test("entries are read in ranges that a published tree has, no further than asked for", () => {
  const sizes = fc.integer({ min: 1, max: 3000 });
  fc.assert(fc.property(sizes, fc.nat(), fc.nat(), (size, a, b) => {
    const [start, end] = [a % size, b % (size + 1)];
    const covered: number[] = [];
    for (const range of entryRanges(start, end, size)) {
      assert.equal(range.index * 256, range.base);
      assert.ok(range.width <= tileWidth(0, range.index, size));
      assert.ok(range.base <= range.start && range.end === range.base + range.width);
      for (let at = range.start; at < range.end; at++) covered.push(at);
    }
    assert.deepEqual(
      covered,
      Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i),
    );
  }));
  assert.throws(() => entryRanges(0, 11, 10), refused);
});

Deno.test("the tiles of a log are those that it serves, and no others", () => {
  assert.deepEqual(tileLevels(0), []);
  for (const size of [1, 255, 256, 257, 65_535, 65_536, 70_000, 2 ** 40 + 5]) {
    for (const level of tileLevels(size)) {
      const height = level.level === "entries" ? 0 : level.level;
      const count = tileCount(level);
      assert.ok(count > 0);
      assert.equal(tileWidth(height, count, size), 0);
      for (const tile of tilesOf(level, count - 1, 3)) {
        assert.equal(tile.width, tileWidth(height, tile.index, size));
        assert.deepEqual(parseTilePath(tile.path), {
          level: level.level,
          index: tile.index,
          width: tile.width,
        });
        assert.ok(tile.end <= size && tile.first < tile.end);
        assert.equal(tile.bytes, level.level === "entries" ? undefined : 32 * tile.width);
      }
    }
  }
  assert.deepEqual(tileLevels(70_000).map((level) => [level.level, level.full, level.partial]), [
    ["entries", 273, 112],
    [0, 273, 112],
    [1, 1, 17],
    [2, 0, 1],
  ]);
});
