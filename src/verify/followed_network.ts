/**
 * A pinned configuration with the epochs before and after it (L1 to L3 of verification.md
 * "Succession"). Forwards, the threshold that the verifier trusts signed what follows. Backwards,
 * every witness that it trusts signed the succession from the epoch before.
 *
 * @module
 */

import type { NetworkConfiguration } from "../format/network.ts";
import { successionDigest, type SuccessionLink } from "../format/succession.ts";
import { coreDigest, coreOf, type TrustCore } from "../format/trust_core.ts";
import type { CheckpointBody } from "../format/tree_head.ts";
import { type Failure, within } from "./reasons.ts";
import { verifyLink } from "./succession_link.ts";
import type { SigningNetwork } from "./threshold.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** From a tree size on, the signatures of a witness do not count. */
export interface Distrust {
  readonly witness: string;
  /** Leaves from this index on, and heads of a larger size. */
  readonly size: number;
}

/** One epoch; its number is its place in the list. */
export interface Epoch {
  readonly network: NetworkConfiguration;
  /** Number of leaves of this and all earlier epochs; absent while it lasts. */
  readonly end?: number;
  /** Timestamp of its last leaf, Unix seconds. */
  readonly endTime?: number;
}

/** A pinned configuration; its members are those of the pinned epoch. */
export type FollowedNetwork = NetworkConfiguration & {
  /** From epoch 0 on. Absent if no link was followed: then the pinned one signs everything. */
  readonly epochs?: readonly Epoch[];
  /** The verified chain. */
  readonly links?: readonly SuccessionLink[];
  readonly distrust?: readonly Distrust[];
};

/** A followed network, or why it cannot be followed. */
export type FollowResult = { readonly network: FollowedNetwork; readonly failure?: Failure };

/**
 * Follows `links`, a chain from epoch 0 on. Of a network that was followed before, links that are
 * known are not verified again; others for the same epochs are refused. After a failure, the network
 * is the one given.
 */
export async function followSuccession(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  links: readonly SuccessionLink[],
): Promise<FollowResult> {
  const known = network.links ?? [];
  const chain = links.length > known.length ? links : known;
  const unrelated = checkAnchor(network, links, known.length);
  if (unrelated !== undefined) return { network, failure: unrelated };
  for (const [i, link] of links.entries()) {
    if (isKnown(link, known[i])) continue;
    const failure = checkOrder(network, links, i) ?? checkSame(link, known[i]) ??
      await verifyLink(crypto, link, distrustedAt({ ...network, links }, link.end.tree_size));
    const inChain = failure && within(`succession[${i}]`, { valid: false, ...failure });
    if (inChain !== undefined) return { network, failure: inChain };
  }
  if (chain === known) return { network };
  const ended = chain.map(({ predecessor, end }) => ({
    network: configured(network, predecessor),
    end: end.tree_size,
    endTime: end.timestamp,
  }));
  const last = chain.at(-1)!.successor;
  const open = last === null ? [] : [{ network: configured(network, last) }];
  return { network: { ...network, epochs: [...ended, ...open], links: chain } };
}

/** Who signs a head of `size`, and the attestation before it; `undefined` after the log's end (L14). */
export function signersOfHead(network: FollowedNetwork, size: number): SigningNetwork | undefined {
  const { epochs = [{ network }] } = network;
  const epoch = epochs.find(({ end = Infinity }) => size <= end);
  const distrusted = distrustedAt(network, size);
  return epoch && distrusted.length > 0 ? { ...epoch.network, distrusted } : epoch?.network;
}

/** Who signs the attestation of `sequence`; `undefined` after the log's end. */
export function signersOfLeaf(
  network: FollowedNetwork,
  sequence: number,
): SigningNetwork | undefined {
  return signersOfHead(network, sequence + 1);
}

/** L15: a head of the size with which an epoch ended has the root with which it ended. */
export function checkEnd(
  { links = [] }: FollowedNetwork,
  { tree_size, root_hash }: CheckpointBody,
): Failure | undefined {
  const isFork = links.some(({ end }) =>
    end.tree_size === tree_size && end.root_hash !== root_hash
  );
  return isFork ? { reason: "head_forked" } : undefined;
}

/** The configuration of the newest epoch that was followed. */
export function latestOf(network: FollowedNetwork): NetworkConfiguration {
  return network.epochs?.at(-1)?.network ?? network;
}

/** L1: the chain leads from or to the pinned configuration. */
function checkAnchor(
  network: FollowedNetwork,
  links: readonly SuccessionLink[],
  known: number,
): Failure | undefined {
  if (links.length <= known) return undefined;
  const { epoch = 0 } = network;
  const core = links[epoch]?.predecessor ?? links[epoch - 1]?.successor;
  if (core && coreDigest(core) === coreDigest(coreOf(network))) return undefined;
  return { reason: "succession_unrelated", field: "succession" };
}

/** L2: no gap, no other network, and nothing after a freeze. */
function checkOrder(
  network: FollowedNetwork,
  links: readonly SuccessionLink[],
  place: number,
): Failure | undefined {
  const { predecessor, end } = links[place]!;
  const unrelated: Failure = { reason: "succession_unrelated", field: "predecessor" };
  if (predecessor.epoch !== place || predecessor.id !== network.id) return unrelated;
  const before = links[place - 1];
  if (before === undefined) return undefined;
  if (before.successor === null) return unrelated;
  if (coreDigest(before.successor) !== coreDigest(predecessor)) return unrelated;
  return end.tree_size > before.end.tree_size
    ? undefined
    : { reason: "boundary_wrong", field: "end.tree_size" };
}

/** L3: a link for an epoch that was followed is the same succession at the same tree. */
function checkSame(link: SuccessionLink, known: SuccessionLink | undefined): Failure | undefined {
  if (known === undefined || sameSuccession(link, known)) return undefined;
  return { reason: "succession_conflict" };
}

/** True if both lead to the same successor at the same tree; their signatures may differ. */
export function sameSuccession(one: SuccessionLink, other: SuccessionLink): boolean {
  return successionDigest(one) === successionDigest(other) &&
    one.end.tree_size === other.end.tree_size && one.end.root_hash === other.end.root_hash;
}

function isKnown(link: SuccessionLink, known: SuccessionLink | undefined): boolean {
  return known !== undefined && JSON.stringify(link) === JSON.stringify(known);
}

/**
 * Ids of the witnesses that are not trusted in a head of `size`: those that are named, and others that
 * have, in any epoch, a key of one of them.
 */
export function distrustedAt(
  { distrust = [], links = [] }: FollowedNetwork,
  size: number,
): readonly string[] {
  const named = new Set(distrust.filter((one) => size > one.size).map(({ witness }) => witness));
  if (named.size === 0) return [];
  const cores = links.flatMap(({ predecessor, successor }) => [predecessor, successor]);
  const witnesses = cores.flatMap((core) => core?.witnesses ?? []);
  const keys = new Set(witnesses.filter(({ id }) => named.has(id)).map(({ pubkey }) => pubkey));
  const others = witnesses.filter(({ pubkey }) => keys.has(pubkey)).map(({ id }) => id);
  return [...new Set([...named, ...others])];
}

/** `core` with the policy of the pinned configuration. */
function configured(pinned: FollowedNetwork, core: TrustCore): NetworkConfiguration {
  const { federation, merge_delay_seconds: delay } = pinned;
  return { ...core, federation, ...(delay !== undefined && { merge_delay_seconds: delay }) };
}
