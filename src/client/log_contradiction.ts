/**
 * The error for two histories of one log. Without the verifier, so that the command line loads it
 * before it knows its command.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import type { TreeHead } from "../proof/format/tree_head.ts";
import type { HeadPair } from "./head_comparison.ts";

/** Two signed heads contradict each other. */
export class LogContradiction extends CountersignError {
  /** The remembered head. */
  readonly known: TreeHead;
  readonly seen: TreeHead;
  /** Path of the saved evidence, which `log contradictions --file` verifies. */
  readonly evidence: string;

  /** `shownBy` names the gateway, mirror or file with the second history. */
  constructor({ known, seen }: HeadPair, shownBy: string, evidence: string) {
    super(
      "proof_refused",
      `Cannot trust the log of ${seen.tree_head.network_id}: its witnesses signed two histories; ` +
        `${shownBy} shows another than the remembered one`,
    );
    this.known = known.tree_head;
    this.seen = seen.tree_head;
    this.evidence = evidence;
  }
}
