/**
 * What a start finds in the store: how far digests are accepted, and which of them are signed. From
 * there the ordinary functions go on.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { RoundStore } from "./ports.ts";
import type { SequenceRange } from "./signing/unformed_ranges.ts";

/** The accepted range of the log, and the signed and unsigned parts of it beyond the tree. */
export interface RecoveredRounds {
  /** Sequence after the last accepted digest. */
  readonly accepted: number;
  /** Stored rounds that end beyond the tree, ascending. */
  readonly signed: readonly { readonly first: number; readonly end: number }[];
  /** Accepted sequences that no stored round holds, ascending, below `formed`. */
  readonly gaps: readonly SequenceRange[];
  /** Sequence after the last signed one: from here on nothing is signed. */
  readonly formed: number;
}

const PAGE = 512;

/**
 * Reads the rounds beyond a tree of `treeSize` leaves. `store_corrupt` when they, or the tree, reach
 * beyond what is accepted: sequences would be given away twice.
 */
export async function recoverRounds(store: RoundStore, treeSize: number): Promise<RecoveredRounds> {
  const last = await store.lastRow();
  const accepted = last === undefined ? 0 : last.first + last.digests.length / HASH_LENGTH;
  const signed: { first: number; end: number }[] = [];
  const gaps: SequenceRange[] = [];
  // All below the tree is signed: the tree takes nothing else.
  const straddling = treeSize === 0 ? undefined : await store.roundBefore(treeSize - 1);
  let formed = Math.max(
    treeSize,
    straddling === undefined ? 0 : straddling.first + straddling.size,
  );
  if (formed > treeSize) signed.push({ first: treeSize, end: formed });
  while (true) {
    const page = await store.rounds(formed, accepted, PAGE);
    for (const { first, size } of page) {
      if (first > formed) gaps.push({ start: formed, end: first });
      signed.push({ first, end: first + size });
      formed = first + size;
    }
    if (page.length === PAGE) continue;
    if (formed <= accepted) return { accepted, signed, gaps, formed };
    throw new CountersignError(
      "store_corrupt",
      `Cannot recover: digests up to ${formed} required, found ${accepted}`,
    );
  }
}
