/**
 * Evidence that a network has two successions of one epoch, kept when a chain contradicts the one that
 * leads from a pin.
 *
 * @module
 */

import { unixSeconds } from "../base/clock.ts";
import { CountersignError, hasCode } from "../base/errors.ts";
import type { SuccessionLink } from "../proof/format/succession.ts";
import type { FollowedNetwork } from "../proof/verify/followed_network.ts";
import { conflictText } from "../proof/format/succession_conflict.ts";
import { conflictIn } from "../proof/verify/succession_conflict.ts";
import type { CommandContext } from "./command_context.ts";

/**
 * `proof_refused`, with the evidence saved, if `links` are proved to contradict the chain of `network`.
 * Links that do not verify prove nothing: following them fails.
 */
export async function refuseConflict(
  { crypto, process: { clock }, trust }: CommandContext,
  network: FollowedNetwork,
  links: readonly SuccessionLink[],
): Promise<void> {
  const conflict = await conflictIn(crypto, network, links, unixSeconds(clock));
  if (conflict === undefined) return;
  const kept = await trust.saveEvidence(network.id, conflict).then(
    (path) =>
      `The evidence is in "${path}": verify it with countersign log contradictions --file, publish it`,
    (error) => {
      // Report the conflict even if its evidence cannot be saved.
      if (!hasCode(error, "file_failed")) throw error;
      return `The evidence was not saved: ${error.message}. Keep what you verified`;
    },
  );
  throw new CountersignError(
    "proof_refused",
    `Cannot trust the network: ${conflictText(conflict)}. ${kept}, and ask the operators`,
  );
}
