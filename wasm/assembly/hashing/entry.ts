// The exports. The host writes bytes to a region, calls, and reads the result from a region. A size
// beyond a region traps, because only a bug of the host can cause it.

import {
  AFTER,
  BEFORE,
  BETWEEN,
  ENDS,
  INPUT,
  INPUT_BYTES,
  LEAF_LIMIT,
  NODES,
  PATHS,
  PIECE_LIMIT,
  ROUND_LIMIT,
  STREAM,
  STREAM_BYTES,
} from "./layout";
import { hashLeaves } from "./leaves";
import { append, finish, start } from "./message";
import { fillNodeSums } from "./nodes";
import { hashNumbered } from "./numbered";
import { climb, climbToRoot, copyPaths } from "./tree";

fillNodeSums();

function require(holds: bool): void {
  if (!holds) unreachable();
}

export function inputRegion(): usize { return INPUT; }
export function inputBytes(): u32 { return INPUT_BYTES; }
export function endsRegion(): usize { return ENDS; }
export function nodesRegion(): usize { return NODES; }
export function leafLimit(): u32 { return LEAF_LIMIT; }
export function beforeRegion(): usize { return BEFORE; }
export function betweenRegion(): usize { return BETWEEN; }
export function afterRegion(): usize { return AFTER; }
export function pieceLimit(): u32 { return PIECE_LIMIT; }
export function pathsRegion(): usize { return PATHS; }
export function roundLimit(): u32 { return ROUND_LIMIT; }
export function streamRegion(): usize { return STREAM; }
export function streamBytes(): u32 { return STREAM_BYTES; }

/** Begins a message in the stream region. */
export function startMessage(): void {
  start();
}

/** Appends `length` bytes of the input to it. */
export function appendInput(length: u32): void {
  require(length <= INPUT_BYTES);
  append(INPUT, length);
}

/** Ends it; its digest is the first node. */
export function finishMessage(): void {
  finish(NODES);
}

/** Hashes `count` leaves of the input, which end where the ends say, to packed nodes. */
export function leafHashes(count: u32): void {
  require(count <= LEAF_LIMIT);
  require(count === 0 || load<u32>(ENDS + 4 * (count - 1)) <= INPUT_BYTES);
  hashLeaves(count);
}

/**
 * Hashes `count` leaves to packed nodes: leaf i is before || hex(digest i of the input) || between ||
 * decimal(first + i) || after, of pieces with these lengths. `first` is an integer below 2^53.
 */
export function numberedLeafHashes(
  count: u32,
  first: f64,
  before: u32,
  between: u32,
  after: u32,
): void {
  require(count <= LEAF_LIMIT);
  require(before <= PIECE_LIMIT && between <= PIECE_LIMIT && after <= PIECE_LIMIT);
  hashNumbered(count, <u64>first, before, between, after);
}

/** Replaces `count` packed nodes by the level `height` above them; answers its size. */
export function treeLevel(count: u32, height: u32): u32 {
  require(count <= LEAF_LIMIT);
  return climb(count, height);
}

/** Appends every level above `count` packed nodes to them; answers the number of nodes in all. */
export function treeLevels(count: u32): u32 {
  require(count <= LEAF_LIMIT);
  return climbToRoot(count);
}

/** Puts the inclusion paths of all `count` leaves of packed levels back to back; how many nodes. */
export function inclusionPaths(count: u32): u32 {
  require(count <= ROUND_LIMIT);
  return copyPaths(count);
}
