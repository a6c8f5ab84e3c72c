/**
 * The reader's own file with a network's succession. The pin of that network is followed by it and keeps
 * it, before any proof is verified.
 *
 * @module
 */

import { unixSeconds } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { epochText } from "../../proof/verify/epoch_text.ts";
import { type FollowedNetwork, followSuccession } from "../../proof/verify/followed_network.ts";
import type { VerifierCrypto } from "../../proof/verify/mod.ts";
import { VERIFY_REASONS } from "../../proof/verify/mod.ts";
import { trustKey } from "../checked.ts";
import { useLoaded, useStore } from "../hooks.ts";
import { useServices } from "../services.ts";
import type { PinnedTrust } from "../trust.ts";
import { twoSuccessions } from "../two_successions.ts";
import { PinFailure } from "./pin_failure.tsx";
import type { Chain } from "./supplied_proof.tsx";

/**
 * The pinned network of the chain, followed by it; `invalid_configuration` if it does not lead on,
 * {@linkcode TwoSuccessions} if it is proved to contradict the kept one. `foundAt` is in Unix seconds.
 */
export async function followedBy(
  crypto: VerifierCrypto,
  { home, peers }: PinnedTrust,
  { name, links }: Pick<Chain, "name" | "links">,
  foundAt: number,
): Promise<FollowedNetwork> {
  const { id } = links[0]!.predecessor;
  const refused = (why: string) =>
    new CountersignError("invalid_configuration", `Cannot use ${name}: ${why}`);
  const pin = [home, ...peers].find(({ network }) => network.id === id);
  if (pin === undefined) throw refused(`no configuration of ${id} is pinned`);
  const { network, failure } = await followSuccession(crypto, pin.network, links);
  if (failure !== undefined) {
    throw await twoSuccessions(crypto, pin.network, { links, source: name, foundAt }) ??
      refused(VERIFY_REASONS[failure.reason]);
  }
  return network;
}

/** Where the chain leads, or why it does not. */
export function ChainLine({ chain }: { readonly chain: Chain }) {
  const services = useServices();
  const pins = useStore(services.trust);
  const [followed] = useLoaded(async () => {
    const { state } = services.trust;
    if (state.state !== "pinned") return undefined;
    const network = await followedBy(
      await services.crypto.crypto(),
      state.trust,
      chain,
      unixSeconds(services.clock),
    );
    services.trust.keep(network);
    return network;
  }, [chain.text, trustKey(pins)]);
  if (followed.state === "failed") {
    return <PinFailure error={followed.error} title={`Cannot use ${chain.name}`} />;
  }
  const network = followed.value;
  return (
    <p class="supplied">
      {chain.name}
      {network === undefined ? "" : `: ${network.id}, ${epochText(network)}`}
    </p>
  );
}
