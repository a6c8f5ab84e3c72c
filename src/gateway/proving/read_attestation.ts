/**
 * An attestation as it was read: what is its own, and the round that it shares with others.
 *
 * @module
 */

import type { RoundTexts } from "./confirmed_rounds.ts";

/** What is particular to one attestation of a round. */
export interface ReadAttestation {
  readonly round: RoundTexts;
  /** Hex. */
  readonly hash: string;
  /** Hex. */
  readonly leafHash: string;
  readonly sequence: number;
  /** JSON of the path in the round, leaf to root. */
  readonly pathJson: string;
}
