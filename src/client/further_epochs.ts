/**
 * Follows a network further by the chain that a gateway has, for a resource that does not verify and
 * may be of a later epoch.
 *
 * @module
 */

import { expectedError } from "../errors.ts";
import type { SuccessionLink } from "../format/succession.ts";
import { type FollowedNetwork, followSuccession } from "../verify/followed_network.ts";
import type { VerifierCrypto } from "../verify/verifier_crypto.ts";
import type { GatewayClient } from "./gateway_client.ts";

type ChainSource = Pick<GatewayClient, "succession">;

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
