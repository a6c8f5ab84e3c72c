/**
 * Whose keys a report used, in words.
 *
 * @module
 */

import { type FollowedNetwork, latestOf } from "./followed_network.ts";

/** "epoch 2, followed from the pin of epoch 0". */
export function epochText(network: FollowedNetwork): string {
  return epochsText(network.epoch ?? 0, latestOf(network).epoch ?? 0);
}

/** {@linkcode epochText} of the epochs that are pinned and followed to. */
export function epochsText(pinned: number, latest: number): string {
  return latest === pinned
    ? `epoch ${pinned}, not followed further`
    : `epoch ${latest}, followed from the pin of epoch ${pinned}`;
}
