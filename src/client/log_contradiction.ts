/**
 * The error for two histories of one log. Without the verifier, so that the command line loads it
 * before it knows its command.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { TreeHead } from "../format/tree_head.ts";
import type { HeadPair } from "./head_comparison.ts";

/** Two signed heads that contradict one another, or that the gateway cannot prove consistent. */
export class LogContradiction extends CountersignError {
  /** The remembered head. */
  readonly known: TreeHead;
  readonly seen: TreeHead;
  /** Path of the saved evidence: both heads with their signatures. */
  readonly evidence: string;

  constructor({ known, seen }: HeadPair, found: string, evidence: string) {
    super("proof_refused", `Cannot trust the log of ${seen.tree_head.network_id}: found ${found}`);
    this.known = known.tree_head;
    this.seen = seen.tree_head;
    this.evidence = evidence;
  }
}
