/**
 * The port of the gateway to the stored successions of its log.
 *
 * @module
 */

import type { Succession, SuccessionLink } from "../format/succession.ts";
import type { CommitOutcome } from "./commit_outcome.ts";

/** Reads the successions of a log. */
export interface SuccessionReads {
  /** The links from epoch 0 on; `store_corrupt`. Their signatures are not checked. */
  links(): Promise<SuccessionLink[]>;
}

/** The successions of a log. */
export interface SuccessionStore extends SuccessionReads {
  /** The succession that is being applied, or was, to begin `epoch`. */
  document(epoch: number): Promise<Succession | undefined>;
  /** One commit: fence; sets the succession that begins its epoch. */
  commitDocument(epoch: number, succession: Succession): Promise<CommitOutcome>;
  link(epoch: number): Promise<SuccessionLink | undefined>;
  /** One commit: fence, the link of that epoch absent; then set. */
  commitLink(epoch: number, link: SuccessionLink): Promise<CommitOutcome>;
}
