/**
 * Evidence that a network has two successions of one epoch, kept when a chain contradicts the one that
 * leads from a pin.
 *
 * @module
 */

import { unixSeconds } from "../base/clock.ts";
import { CountersignError } from "../base/errors.ts";
import type { SuccessionLink } from "../proof/format/succession.ts";
import type { FollowedNetwork } from "../proof/verify/followed_network.ts";
import { conflictText } from "../proof/format/succession_conflict.ts";
import { conflictIn } from "../proof/verify/succession_conflict.ts";
import type { CommandContext } from "./command_context.ts";
import { isNotKept } from "./trust_folder.ts";

/**
 * `proof_refused`, with the evidence saved, if `links` are proved to contradict the chain of `network`.
 * Links that do not verify prove nothing: following them fails.
 */
export async function refuseConflict(
  context: CommandContext,
  network: FollowedNetwork,
  links: readonly SuccessionLink[],
): Promise<void> {
  const { crypto, process: { clock } } = context;
  const conflict = await conflictIn(crypto, network, links, unixSeconds(clock));
  if (conflict === undefined) return;
  let kept: string;
  try {
    const path = await context.trust.saveEvidence(network.id, conflict);
    kept =
      `The evidence is in "${path}": verify it with countersign log contradictions --file, publish it`;
  } catch (error) {
    // Report the conflict even if its evidence cannot be saved.
    if (!isNotKept(error)) throw error;
    kept = `The evidence was not saved: ${error.message}. Keep what you verified`;
  }
  throw new CountersignError(
    "proof_refused",
    `Cannot trust the network: ${conflictText(conflict)}. ${kept}, and ask the operators`,
  );
}
