/**
 * Whose keys a report used, in words.
 *
 * @module
 */

import { type FollowedNetwork, latestOf } from "./followed_network.ts";

/** "epoch 2, followed from the pin of epoch 0". */
export function epochText(network: FollowedNetwork): string {
  const { epoch: pinned = 0 } = network;
  const { epoch = 0 } = latestOf(network);
  return epoch === pinned
    ? `epoch ${pinned}, not followed further`
    : `epoch ${epoch}, followed from the pin of epoch ${pinned}`;
}
