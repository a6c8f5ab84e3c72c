/**
 * The alarm of a client that remembers tree heads.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { TreeHead } from "../format/tree_head.ts";

/** Two signed heads that cannot be of one log, or that the gateway does not show to be. */
export class LogContradiction extends CountersignError {
  /** The head that was remembered. */
  readonly known: TreeHead;
  readonly seen: TreeHead;
  /** Path of the evidence kept: both heads with their signatures. */
  readonly evidence: string;

  constructor(
    heads: { readonly known: TreeHead; readonly seen: TreeHead },
    found: string,
    evidence: string,
  ) {
    super(
      "proof_refused",
      `Cannot trust log of ${heads.seen.network_id}: one log required, found ${found}`,
    );
    this.known = heads.known;
    this.seen = heads.seen;
    this.evidence = evidence;
  }
}
