/**
 * Comparison of two readings of one published head: cosignatures are added, never removed.
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import type { SignedTreeHead } from "../src/proof/format/tree_head.ts";

/** Ids of the witnesses that cosigned a head. */
export function signersOf(sth: SignedTreeHead): readonly string[] {
  return "signers" in sth ? sth.signers : sth.signatures.map(({ witness_id }) => witness_id);
}

/** Whether `later` is the head `earlier`, with all its signatures and perhaps further ones. */
export function keepsHead(later: SignedTreeHead, earlier: SignedTreeHead): boolean {
  if (isDeepStrictEqual(later, earlier)) return true;
  if (!isDeepStrictEqual(later.tree_head, earlier.tree_head)) return false;
  const signers = signersOf(later);
  if (signers.length <= signersOf(earlier).length) return false;
  if ("signers" in later || "signers" in earlier) {
    return signersOf(earlier).every((id) => signers.includes(id));
  }
  return earlier.signatures.every((one) =>
    later.signatures.some((other) => isDeepStrictEqual(one, other))
  );
}
