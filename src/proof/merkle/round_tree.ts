/**
 * The Merkle tree of a round (protocol.md "Signed messages").
 *
 * @module
 */

import { type Bytes, equalBytes, utf8 } from "../../base/bytes.ts";
import { ATTESTATION_DOMAIN } from "../crypto/domains.ts";
import type { Kernels, NumberedTexts } from "../crypto/kernels.ts";
import { writeNumbered } from "../crypto/numbered_texts.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";
import { treeLevels, treeRoot } from "./tree.ts";

/** The data that determine the leaves of a round. */
export interface Round {
  readonly networkId: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Sequence of the first attestation. */
  readonly first: number;
  /** 32 bytes each, in sequence order. */
  readonly digests: Uint8Array;
}

/** The RFC 9162 tree over a round's leaves. Shared: do not modify. */
export interface RoundTree {
  /** Packed leaf hashes. */
  readonly leaves: Bytes;
  /** Packed nodes of every level: the leaves first, the root last. */
  readonly levels: readonly Bytes[];
  readonly root: Bytes;
}

/** Builds the tree of a round. */
export type RoundTreeBuilder = (round: Round) => RoundTree;

/** The packed leaf hashes of `round`, whose network id and integers must be valid. */
export function roundLeaves(kernels: Kernels, round: Round): Bytes {
  return kernels.numberedLeafHashes(textsOf(round));
}

/** Texts of consecutive leaves, concatenated, and where each ends. */
export interface LeafTexts {
  readonly entries: Bytes;
  readonly ends: Uint32Array;
}

/** The texts of the leaves of `round`, whose network id and integers must be valid. */
export function roundTexts(round: Round): LeafTexts {
  return writeNumbered(textsOf(round));
}

function textsOf({ networkId, timestamp, first, digests }: Round): NumberedTexts {
  return {
    before: utf8(`${ATTESTATION_DOMAIN}\n${networkId}\n`),
    digests,
    between: utf8(`\n${timestamp}\n`),
    first,
    after: utf8("\n"),
  };
}

/** The tree of `round`, whose network id and integers must be valid. */
export function buildRoundTree(kernels: Kernels, round: Round): RoundTree {
  const leaves = roundLeaves(kernels, round);
  const levels = treeLevels(kernels, leaves);
  return { leaves, levels, root: levels.at(-1) ?? treeRoot(kernels, leaves) };
}

const DEFAULT_LIMIT = 16;

/**
 * {@linkcode buildRoundTree} with a cache for the gateway and the witnesses in one process. A cached
 * tree is returned only if all inputs are equal, so a witness signs only roots of what it received.
 */
export class RoundTreeMemo {
  readonly #kernels: Kernels;
  readonly #trees: RecentlyUsed<string, { readonly digests: Bytes; readonly tree: RoundTree }>;

  /** Keeps the trees of the last `limit` rounds: about 50 KiB for each of 512. */
  constructor(kernels: Kernels, limit: number = DEFAULT_LIMIT) {
    this.#kernels = kernels;
    this.#trees = new RecentlyUsed(limit);
  }

  build(round: Round): RoundTree {
    const { networkId, timestamp, first, digests } = round;
    const name = `${networkId}\n${timestamp}\n${first}`;
    const kept = this.#trees.get(name);
    if (kept !== undefined && equalBytes(kept.digests, digests)) return kept.tree;
    // Copied, since the caller may change its buffer later.
    const copy = digests.slice();
    const tree = buildRoundTree(this.#kernels, { ...round, digests: copy });
    this.#trees.set(name, { digests: copy, tree });
    return tree;
  }
}
