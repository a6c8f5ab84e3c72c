// Levels of RFC 9162 trees. Neighbours are hashed pairwise, and an odd last node is carried up.

import { NODES, PATHS } from "./layout";
import { hashPairs } from "./nodes";

// @ts-ignore: decorator
@inline
export function copyNode(from: usize, to: usize): void {
  if (ASC_FEATURE_SIMD) {
    const low = v128.load(from);
    const high = v128.load(from, 16);
    v128.store(to, low);
    v128.store(to, high, 16);
  } else {
    store<u64>(to, load<u64>(from));
    store<u64>(to, load<u64>(from, 8), 8);
    store<u64>(to, load<u64>(from, 16), 16);
    store<u64>(to, load<u64>(from, 24), 24);
  }
}

/** The level above the `count` nodes at `from`, to `to`, which may be the same place. */
function hashLevel(from: usize, to: usize, count: u32): u32 {
  const pairs = count >>> 1;
  hashPairs(from, to, pairs);
  if ((count & 1) === 1) copyNode(from + 64 * pairs, to + 32 * pairs);
  return pairs + (count & 1);
}

/** The level `height` above the packed nodes, in their place. Answers how many nodes it has. */
export function climb(count: u32, height: u32): u32 {
  for (; height > 0 && count > 1; height--) count = hashLevel(NODES, NODES, count);
  return count;
}

/** Every level above the packed nodes, each behind the one below. Answers how many nodes in all. */
export function climbToRoot(count: u32): u32 {
  let at = NODES;
  let total = count;
  while (count > 1) {
    const above = at + 32 * count;
    count = hashLevel(at, above, count);
    at = above;
    total += count;
  }
  return total;
}

/**
 * The inclusion paths (section 2.1.3.1) of all leaves of the levels of {@link climbToRoot}, leaf to
 * root, back to back. Answers how many nodes in all.
 */
export function copyPaths(leaves: u32): u32 {
  let to = PATHS;
  for (let leaf: u32 = 0; leaf < leaves; leaf++) {
    let level = NODES;
    let at = leaf;
    for (let count = leaves; count > 1; count = (count + 1) >>> 1) {
      const sibling = at ^ 1;
      // A node without a neighbour is carried up and adds nothing.
      if (sibling < count) {
        copyNode(level + 32 * sibling, to);
        to += 32;
      }
      level += 32 * count;
      at >>>= 1;
    }
  }
  return <u32>(to - PATHS) / 32;
}
