/**
 * The concatenated levels of an RFC 9162 tree, the leaves first.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";

/** The number of nodes in each level over `size` leaves, leaves first; empty for no leaves. */
export function levelCounts(size: number): number[] {
  const counts: number[] = [];
  for (let count = size; count > 0; count = count === 1 ? 0 : Math.ceil(count / 2)) {
    counts.push(count);
  }
  return counts;
}

/** All levels over packed `leaves`; `levelAbove` computes each from the one below. */
export function levelsOf(
  leaves: Uint8Array,
  levelAbove: (nodes: Uint8Array) => Uint8Array,
): Uint8Array[] {
  const levels: Uint8Array[] = [];
  let level = leaves;
  for (const _ of levelCounts(leaves.length / HASH_LENGTH)) {
    levels.push(level);
    level = levelAbove(level);
  }
  return levels;
}

/** The concatenated inclusion paths of all `size` leaves in packed `levels` (section 2.1.3.1). */
export function pathsInLevels(levels: Uint8Array, size: number): Bytes {
  const counts = levelCounts(size);
  const indexes: number[] = [];
  for (let leaf = 0; leaf < size; leaf++) {
    let level = 0;
    let at = leaf;
    for (const count of counts) {
      const sibling = at % 2 === 0 ? at + 1 : at - 1;
      // A node without a neighbour is carried up and adds nothing.
      if (sibling < count) indexes.push(level + sibling);
      level += count;
      at = Math.floor(at / 2);
    }
  }
  const paths = new Uint8Array(indexes.length * HASH_LENGTH);
  for (const [i, index] of indexes.entries()) {
    paths.set(levels.subarray(index * HASH_LENGTH, (index + 1) * HASH_LENGTH), i * HASH_LENGTH);
  }
  return paths;
}
