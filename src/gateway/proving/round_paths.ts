/**
 * Inclusion paths in a round as JSON, cut from the hex of its levels. Sixteen neighbours share all
 * but the lowest nodes of their paths: that part is put together once.
 *
 * @module
 */

import { HASH_LENGTH } from "../../bytes.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;
/** Height of the subtrees whose leaves share the rest of their paths. */
const SHARED_FROM = 4;

/** What paths are cut from. */
export interface LevelTexts {
  /** Hex of each level's packed nodes, the leaves first. */
  readonly levelsHex: readonly string[];
  /** By subtree: the shared rest of its paths; made when it is first asked for. */
  readonly rests: (string | undefined)[];
}

/** JSON of the RFC 9162 inclusion path of the leaf at `index`, leaf to root. */
export function pathJson({ levelsHex, rests }: LevelTexts, index: number): string {
  let path = "";
  const top = Math.min(SHARED_FROM, levelsHex.length - 1);
  for (let level = 0, at = index; level < top; level++, at >>>= 1) {
    const sibling = siblingOf(levelsHex[level]!, at);
    if (sibling !== undefined) path += path === "" ? `["${sibling}"` : `,"${sibling}"`;
  }
  const subtree = index >>> SHARED_FROM;
  const rest = rests[subtree] ??= restOf(levelsHex, subtree);
  if (path !== "") return `${path}${rest}]`;
  return rest === "" ? "[]" : `[${rest.slice(1)}]`;
}

/** The path above a subtree, each node with a comma before it. */
function restOf(levelsHex: readonly string[], subtree: number): string {
  const nodes: string[] = [];
  for (let level = SHARED_FROM, at = subtree; level + 1 < levelsHex.length; level++, at >>>= 1) {
    const sibling = siblingOf(levelsHex[level]!, at);
    if (sibling !== undefined) nodes.push(',"', sibling, '"');
  }
  return nodes.join("");
}

/** Hex of the other child of a node's parent; a node without one is carried up and has none. */
function siblingOf(level: string, at: number): string | undefined {
  const start = (at ^ 1) * HEX_LENGTH;
  return start < level.length ? level.slice(start, start + HEX_LENGTH) : undefined;
}
