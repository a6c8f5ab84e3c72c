/**
 * Follows the successions of a peer while we run (protocol.md "Federation"): fetches its chain, verifies
 * it from the configured trust core, and stores it before it is used. A chain that does not verify, or
 * that differs from the one followed before, changes nothing and is reported; if both are signed, the two
 * successions of one epoch are stored as evidence.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError, expectedError } from "../../base/errors.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import { conflictText } from "../../proof/format/succession_conflict.ts";
import { Condition, errorDetails, errorText, type Report } from "../../base/report.ts";
import {
  type FollowedNetwork,
  followSuccession,
  latestOf,
} from "../../proof/verify/followed_network.ts";
import { conflictIn } from "../../proof/verify/succession_conflict.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import type { Evidence } from "./evidence.ts";
import type { FederationStore, FetchChain, Peer } from "./ports.ts";

/** The shortest time between two fetches from one peer, which heads that do not verify cause. */
const PAUSE_MS = 60_000;

/** The time between two fetches if all heads verify. */
export const CHAIN_CHECK_MS = 3_600_000;

export interface FollowedPeerContext {
  readonly store: Pick<FederationStore, "peerLinks" | "savePeerLink">;
  readonly evidence: Pick<Evidence, "add">;
  readonly crypto: VerifierCrypto;
  readonly clock: Clock;
  readonly report: Report;
}

/** `peer`, followed by the stored chain, and further by what `fetchChain` returns. */
export async function followedPeer(
  peer: Peer,
  fetchChain: FetchChain | undefined,
  context: FollowedPeerContext,
): Promise<Peer> {
  const { network: configured } = peer;
  const { id } = configured;
  const refused = new Condition(context);
  const { store, evidence, crypto, clock } = context;
  let network = configured;
  let lastFetch = -Infinity;
  let fetching: Promise<boolean> | undefined;

  /** True if `links`, at least `known` of them, lead further. */
  const take = async (
    links: readonly SuccessionLink[],
    source: string,
    known = 0,
  ): Promise<boolean> => {
    const followed = await followSuccession(crypto, network, links);
    const reason = followed.failure?.reason ??
      (links.length < known ? `it ends before epoch ${known}` : undefined);
    const conflict = followed.failure &&
      await conflictIn(crypto, network, links, unixSeconds(clock));
    if (conflict !== undefined) {
      const kept = await evidence.add(conflict).then(
        () => "Both are stored as evidence",
        (error) => {
          // Report the conflict even if its evidence cannot be stored.
          expectedError(error);
          return `The evidence was not stored: ${error.message}. Save ${source}`;
        },
      );
      refused.holds(
        `Peer ${conflictText(conflict)}. The first one stays in use. ${kept}, and ask its operator`,
        { level: "error", peer: id },
        kept,
      );
      return false;
    }
    if (reason !== undefined) {
      refused.holds(
        `Cannot follow peer ${id} by ${source}: ${reason}. Its configuration stays that of epoch ` +
          `${network.epoch ?? 0}; ask its operator`,
        { peer: id },
        reason,
      );
      return false;
    }
    refused.ended(`The succession of peer ${id} can be followed again`);
    if (followed.network === network) return false;
    // Durable before a signature of the new epoch counts.
    const stored = (await store.peerLinks(id)).length;
    for (const link of links.slice(stored)) await store.savePeerLink(id, link);
    network = presentEpoch(followed.network);
    return true;
  };

  const fetchFurther = async (fetch: FetchChain, signal: AbortSignal): Promise<boolean> => {
    let links: readonly SuccessionLink[];
    try {
      links = await fetch(signal);
    } catch (error) {
      if (signal.aborted) return false;
      expectedError(error);
      refused.holds(`Cannot fetch the succession of peer ${id}: ${errorText(error)}`, {
        ...errorDetails(error),
        peer: id,
      });
      return false;
    }
    const isFurther = await take(links, "its GET /v1/succession", network.links?.length);
    if (isFurther) {
      context.report(`Followed peer ${id} to epoch ${network.epoch ?? 0}`, {
        level: "info",
        peer: id,
      });
    }
    return isFurther;
  };

  try {
    // A configured one may be longer.
    await take(await store.peerLinks(id), "the stored succession");
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    refused.holds(`Cannot read the stored succession of peer ${id}: ${errorText(error)}`, {
      ...errorDetails(error),
      peer: id,
    });
  }
  return {
    ...peer,
    get network() {
      return network;
    },
    get minWitnesses() {
      const { threshold, witnesses } = network;
      return Math.min(witnesses.length, Math.max(threshold, peer.minWitnesses));
    },
    ...(fetchChain !== undefined && {
      follow: async (signal) => {
        if (fetching !== undefined) return await fetching;
        const now = clock.nowMs();
        // `abs`, because the clock may be set back.
        if (Math.abs(now - lastFetch) < PAUSE_MS) return false;
        lastFetch = now;
        fetching = fetchFurther(fetchChain, signal);
        try {
          return await fetching;
        } finally {
          fetching = undefined;
        }
      },
    }),
  };
}

/** Follows each of `peers` every {@linkcode CHAIN_CHECK_MS}, until `signal` aborts. */
export async function followPeers(
  peers: readonly Peer[],
  { clock, report }: Pick<FollowedPeerContext, "clock" | "report">,
  signal: AbortSignal,
): Promise<void> {
  while (true) {
    await clock.sleep(CHAIN_CHECK_MS, signal);
    if (signal.aborted) return;
    for (const { network: { id }, follow } of peers) {
      await follow?.(signal).catch((error) =>
        report(`Cannot follow peer ${id}: ${errorText(error)}`, {
          ...errorDetails(error),
          peer: id,
        })
      );
    }
  }
}

/** `followed` as the configuration of its last epoch. */
export function presentEpoch(followed: FollowedNetwork): FollowedNetwork {
  const { epochs, links } = followed;
  return { ...latestOf(followed), ...(epochs && { epochs }), ...(links && { links }) };
}
