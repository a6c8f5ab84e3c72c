/**
 * Evidence that a network has two successions of one epoch: one is kept with a pin, another one is in a
 * file or a proof.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import type { SuccessionLink } from "../proof/format/succession.ts";
import { conflictText, type SuccessionConflict } from "../proof/format/succession_conflict.ts";
import type { FollowedNetwork } from "../proof/verify/followed_network.ts";
import { conflictIn } from "../proof/verify/succession_conflict.ts";
import type { VerifierCrypto } from "../proof/verify/verifier_crypto.ts";

/** `proof_refused`, with the evidence. */
export class TwoSuccessions extends CountersignError {
  readonly conflict: SuccessionConflict;
  /** The file, or other source, of the other succession. */
  readonly source: string;

  constructor(conflict: SuccessionConflict, source: string) {
    super("proof_refused", `Cannot use ${source}: ${conflictText(conflict)}`);
    this.conflict = conflict;
    this.source = source;
  }
}

/**
 * What `links`, which `source` has, prove against the chain of `network`; `undefined` if they prove
 * nothing. `foundAt` is in Unix seconds.
 */
export async function twoSuccessions(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  { links, source, foundAt }: {
    readonly links: readonly SuccessionLink[];
    readonly source: string;
    readonly foundAt: number;
  },
): Promise<TwoSuccessions | undefined> {
  const conflict = await conflictIn(crypto, network, links, foundAt);
  return conflict && new TwoSuccessions(conflict, source);
}
