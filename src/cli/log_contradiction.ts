/**
 * The error of a client that finds two histories of one log.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { TreeHead } from "../format/tree_head.ts";

/** Two signed heads that contradict one another, or that the gateway cannot prove consistent. */
export class LogContradiction extends CountersignError {
  /** The head that was remembered. */
  readonly known: TreeHead;
  readonly seen: TreeHead;
  /** Path of the saved evidence: both heads with their signatures. */
  readonly evidence: string;

  constructor(
    heads: { readonly known: TreeHead; readonly seen: TreeHead },
    found: string,
    evidence: string,
  ) {
    super(
      "proof_refused",
      `Cannot trust the log of ${heads.seen.network_id}: found ${found}`,
    );
    this.known = heads.known;
    this.seen = heads.seen;
    this.evidence = evidence;
  }
}
