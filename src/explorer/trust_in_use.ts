/**
 * The configuration that a page verifies under: the pinned one, and where none is pinned the
 * gateway's own, which then had to be trusted for it.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { fingerprintOf } from "../format/public_network.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import type { SignedOutcome } from "../verify/signed_outcome.ts";
import { verifySignedTreeHead } from "../verify/tree_head.ts";
import type { LogTrust } from "./log_watch.ts";
import type { Services } from "./services.ts";
import type { TrustKeeper, TrustState } from "./trust_keeper.ts";

type TrustServices = Pick<Services, "api" | "crypto" | "trust">;

/** {@linkcode LogTrust}, and the configurations of peers that are pinned beside it. */
export interface TrustInUse extends LogTrust {
  readonly peers: readonly NetworkConfiguration[];
}

/** Rejects where a pin is kept that cannot be read: nothing may take its place in silence. */
export async function trustInUse(
  { api, trust }: Pick<TrustServices, "api" | "trust">,
  signal: AbortSignal,
): Promise<TrustInUse> {
  const state = await settledTrust(trust, signal);
  if (state.state === "broken") throw state.error;
  const isPinned = state.state === "pinned";
  const network = state.state === "pinned"
    ? state.trust.home.network
    : (await api.network(signal)).value;
  return {
    network,
    fingerprint: fingerprintOf(network),
    isPinned,
    peers: state.state === "pinned" ? state.trust.peers.map((pin) => pin.network) : [],
  };
}

/** What is pinned, once that is known. */
function settledTrust(keeper: TrustKeeper, signal: AbortSignal): Promise<TrustState> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      if (keeper.state.state === "loading") return;
      end();
      signal.removeEventListener("abort", giveUp);
      resolve(keeper.state);
    };
    const giveUp = () => {
      end();
      reject(signal.reason);
    };
    const end = keeper.subscribe(settle);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    else settle();
  });
}

/** What tells two states of the pins apart, for hooks that load anew when they change. */
export function trustKey(state: TrustState): string {
  return state.state === "pinned"
    ? [state.trust.home, ...state.trust.peers].map((pin) => pin.text).join("\n")
    : state.state;
}

/** A head, and what verification says of it. */
export interface CheckedHead {
  readonly sth: SignedTreeHead;
  readonly outcome: SignedOutcome;
  readonly trust: TrustInUse;
}

/** The head of `treeSize`, the latest where that is left out, verified. */
export async function checkedHead(
  services: TrustServices,
  treeSize: number | undefined,
  signal: AbortSignal,
): Promise<CheckedHead> {
  const [trust, { value: sth }, crypto] = await Promise.all([
    trustInUse(services, signal),
    services.api.sth(treeSize, signal),
    services.crypto.crypto(),
  ]);
  if (treeSize !== undefined && sth.tree_head.tree_size !== treeSize) {
    throw new CountersignError(
      "malformed_bundle",
      `Cannot use tree head: that of size ${treeSize} required, found another`,
    );
  }
  return { sth, outcome: await verifySignedTreeHead(crypto, trust.network, sth), trust };
}
