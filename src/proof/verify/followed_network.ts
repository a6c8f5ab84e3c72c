/**
 * A pinned configuration with the epochs before and after it (L1 to L3 of verification.md
 * "Succession"). Forwards, the threshold that the verifier trusts signed what follows. Backwards,
 * every witness that it trusts signed the succession from the epoch before.
 *
 * What was followed stands: a later chain extends it or is refused. Distrust removes no link and moves
 * no end, so it never gives an epoch back to its retired keys.
 *
 * @module
 */

import type { NetworkConfiguration } from "../format/network.ts";
import { successionDigest, type SuccessionLink } from "../format/succession.ts";
import { coreDigest, coreOf, type TrustCore } from "../format/trust_core.ts";
import type { CheckpointBody } from "../format/tree_head.ts";
import { type Failure, within } from "./reasons.ts";
import { standsWithout, verifyLink } from "./succession_link.ts";
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

/** What stands, and why `links` were refused. */
export interface FollowResult {
  /** The network that was given, unless `links` lead further. */
  readonly network: FollowedNetwork;
  readonly failure?: Failure;
}

/**
 * The one way to choose a chain. `links`, a chain from epoch 0 on, may extend what `given` carries and
 * has followed, and replaces none of it. Known links are not verified again.
 */
export async function followSuccession(
  crypto: VerifierCrypto,
  given: FollowedNetwork,
  links: readonly SuccessionLink[],
): Promise<FollowResult> {
  const { succession, ...network } = given;
  if (succession === undefined) return await followFurther(crypto, given, links);
  const carried = await followFurther(crypto, network, succession);
  if (carried.failure !== undefined) return { network: given, failure: carried.failure };
  return await followFurther(crypto, carried.network, links);
}

async function followFurther(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  links: readonly SuccessionLink[],
): Promise<FollowResult> {
  const known = network.links ?? [];
  const unrelated = checkAnchor(network, links, known.length);
  if (unrelated !== undefined) return { network, failure: unrelated };
  for (const [i, link] of links.entries()) {
    if (JSON.stringify(link) === JSON.stringify(known[i])) continue;
    const isRival = known[i] !== undefined && !sameSuccession(link, known[i]); // L3
    const found = checkOrder(network, links, i) ??
      (isRival ? { reason: "succession_conflict" as const } : await verifyLink(crypto, link));
    const failure = found && within(`succession[${i}]`, { valid: false, ...found });
    if (failure !== undefined) return { network, failure };
  }
  if (links.length <= known.length) return { network };
  const chain = [...known, ...links.slice(known.length)];
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
  return epoch && trustedIn(network, epoch, size);
}

/** Who signs the attestation of `sequence`; `undefined` after the log's end. */
export function signersOfLeaf(
  network: FollowedNetwork,
  sequence: number,
): SigningNetwork | undefined {
  return signersOfHead(network, sequence + 1);
}

/** The configuration of `epoch`, with the witnesses that are not trusted in a head of `size`. */
export function trustedIn(
  network: FollowedNetwork,
  { network: signing }: Epoch,
  size: number,
): SigningNetwork {
  if (network.distrust === undefined) return signing;
  const distrusted = isReached(network, signing.epoch ?? 0)
    ? distrustedAt(network, size)
    : signing.witnesses.map(({ id }) => id);
  return distrusted.length > 0 ? { ...signing, distrusted } : signing;
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

/** True if both lead to the same successor at the same tree; their signatures may differ. */
export function sameSuccession(one: SuccessionLink, other: SuccessionLink): boolean {
  return successionDigest(one) === successionDigest(other) &&
    one.end.tree_size === other.end.tree_size && one.end.root_hash === other.end.root_hash;
}

/**
 * Ids of the witnesses that are not trusted in a head of `size`: those that are named, and others that
 * have, in any epoch, a key of one of them.
 */
function distrustedAt(
  network: FollowedNetwork,
  size: number,
): readonly string[] {
  const { distrust = [], epochs = [{ network }] } = network;
  const named = new Set(distrust.filter((one) => size > one.size).map(({ witness }) => witness));
  if (named.size === 0) return [];
  const witnesses = epochs.flatMap((epoch) => epoch.network.witnesses);
  const keys = new Set(witnesses.filter(({ id }) => named.has(id)).map(({ pubkey }) => pubkey));
  const others = witnesses.filter(({ pubkey }) => keys.has(pubkey)).map(({ id }) => id);
  return [...new Set([...named, ...others])];
}

/** True if each link between the pinned epoch and `epoch` has a threshold without the distrusted. */
function isReached(network: FollowedNetwork, epoch: number): boolean {
  const { epoch: pinned = 0, links = [] } = network;
  return links.slice(Math.min(pinned, epoch), Math.max(pinned, epoch)).every((link) =>
    standsWithout(link, distrustedAt(network, link.end.tree_size))
  );
}

/** `core` with the policy of the pinned configuration. */
function configured(pinned: FollowedNetwork, core: TrustCore): NetworkConfiguration {
  const { federation, merge_delay_seconds: delay } = pinned;
  return { ...core, federation, ...(delay !== undefined && { merge_delay_seconds: delay }) };
}
