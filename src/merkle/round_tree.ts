/**
 * The Merkle tree of a round (protocol.md "Signed messages"), built from nothing but what its
 * attestations say.
 *
 * @module
 */

import { type Bytes, equalBytes, utf8 } from "../bytes.ts";
import { ATTESTATION_DOMAIN } from "../crypto/domains.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { treeLevels, treeRoot } from "./tree.ts";

/** What fixes the leaves of a round. */
export interface Round {
  readonly networkId: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Sequence of the first attestation. */
  readonly first: number;
  /** 32 bytes each, in sequence order. */
  readonly digests: Bytes;
}

/** The RFC 9162 tree over a round's leaves. Shared by its readers: none may write to it. */
export interface RoundTree {
  /** Packed leaf hashes. */
  readonly leaves: Bytes;
  /** Packed nodes of every level: the leaves first, the root last. */
  readonly levels: readonly Bytes[];
  readonly root: Bytes;
}

/** Builds the tree of a round; the same round gives the same tree. */
export type RoundTreeBuilder = (round: Round) => RoundTree;

/**
 * Packed leaf hashes of consecutive attestations with one timestamp: `digests` holds 32 bytes each,
 * the first of sequence `first`. The caller vouches for the names and integers.
 */
export function roundLeaves(
  kernels: Kernels,
  round: { networkId: string; timestamp: number; first: number; digests: Uint8Array },
): Bytes {
  const { networkId, timestamp, first, digests } = round;
  return kernels.numberedLeafHashes({
    before: utf8(`${ATTESTATION_DOMAIN}\n${networkId}\n`),
    digests,
    between: utf8(`\n${timestamp}\n`),
    first,
    after: utf8("\n"),
  });
}

/** The tree of `round`. The caller vouches for the names and integers. */
export function buildRoundTree(kernels: Kernels, round: Round): RoundTree {
  const leaves = roundLeaves(kernels, round);
  const levels = treeLevels(kernels, leaves);
  return { leaves, levels, root: levels.at(-1) ?? treeRoot(kernels, leaves) };
}

const MEMO_LIMIT = 16;

/**
 * {@linkcode buildRoundTree}, computed once for all who ask for the same round in one process. An
 * answer is given again only for inputs that are equal byte for byte, so this is the pure function
 * still: a witness that uses it has its root from the hashes that it was given, and from no one's
 * word.
 */
export class RoundTreeMemo {
  readonly #kernels: Kernels;
  readonly #limit: number;
  // In the order of their names' first use: the oldest gives way.
  readonly #trees = new Map<string, { readonly digests: Bytes; readonly tree: RoundTree }>();

  /** Keeps the trees of the last `limit` rounds: about 50 KiB for each of 512. */
  constructor(kernels: Kernels, limit: number = MEMO_LIMIT) {
    this.#kernels = kernels;
    this.#limit = limit;
  }

  /** The tree of `round`. */
  build(round: Round): RoundTree {
    const { networkId, timestamp, first, digests } = round;
    const name = `${networkId}\n${timestamp}\n${first}`;
    const kept = this.#trees.get(name);
    if (kept !== undefined && equalBytes(kept.digests, digests)) return kept.tree;
    // A copy, since the caller's buffer may change after the call.
    const copy = digests.slice();
    const tree = buildRoundTree(this.#kernels, { ...round, digests: copy });
    this.#trees.set(name, { digests: copy, tree });
    if (this.#trees.size > this.#limit) {
      for (const oldest of this.#trees.keys()) {
        this.#trees.delete(oldest);
        break;
      }
    }
    return tree;
  }
}
