/**
 * Follows a network by the chain that its configuration carries, and further by the chain that a gateway
 * has, for a resource that does not verify and may be of a later epoch.
 *
 * @module
 */

import { reasonClause } from "../proof/verify/reasons.ts";
import { CountersignError, expectedError } from "../base/errors.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import type { SuccessionLink } from "../proof/format/succession.ts";
import { type FollowedNetwork, followSuccession } from "../proof/verify/followed_network.ts";
import type { VerifierCrypto } from "../proof/verify/verifier_crypto.ts";

/** A gateway or a copy of its log. */
export interface ChainSource {
  /** The links from epoch 0 on, not verified. */
  succession(signal?: AbortSignal): Promise<{ readonly value: readonly SuccessionLink[] }>;
}

/** The gateway's chain; empty from a gateway that has no such route or cannot answer. */
export async function chainOf(
  gateway: ChainSource,
  signal?: AbortSignal,
): Promise<readonly SuccessionLink[]> {
  try {
    return (await gateway.succession(signal)).value;
  } catch (error) {
    signal?.throwIfAborted();
    expectedError(error);
    return [];
  }
}

/** `network`, followed further; `undefined` if the gateway's chain leads no further. */
export async function furtherEpochs(
  crypto: VerifierCrypto,
  gateway: ChainSource,
  network: FollowedNetwork,
  signal?: AbortSignal,
): Promise<FollowedNetwork | undefined> {
  const links = await chainOf(gateway, signal);
  const followed = await followSuccession(crypto, network, links);
  return followed.failure === undefined && followed.network !== network
    ? followed.network
    : undefined;
}

/** `network` with the chain that it carries, verified; `invalid_configuration` if it does not lead to it. */
export async function withCarriedChain(
  crypto: VerifierCrypto,
  network: NetworkConfiguration,
): Promise<FollowedNetwork> {
  const { network: followed, failure } = await followSuccession(crypto, network, []);
  if (failure === undefined) return followed;
  throw new CountersignError(
    "invalid_configuration",
    `Cannot use the configuration of ${network.id}: the succession in it does not lead to it ` +
      `(${reasonClause(failure.reason)})`,
  );
}
