/**
 * What the timestamp of an attestation proves: an interval, each end with its sources and in whose
 * word it is. From below, public randomness that the signed round contains; from above, the times
 * of those who signed something that contains the attestation.
 *
 * @module
 */

import {
  type Beacon,
  beaconTime,
  type DrandChain,
  QUICKNET,
  verifyBeacon,
} from "../crypto/drand.ts";
import type { BlsVerifier } from "../crypto/bls_verifier.ts";
import type { CrossAnchor, SignedAttestation } from "../format/bundle.ts";
import type { TreeHead } from "../format/tree_head.ts";
import type { VerifyReason } from "./reasons.ts";
import type { SignedOutcome } from "./signed_outcome.ts";

/** One bound of the time at which an attestation was signed. */
export interface TimeBound {
  /** Unix seconds. */
  readonly time: number;
  /** What says so, for a person, such as `drand quicknet round 32285085`. */
  readonly source: string;
  /** Who has to be honest for it to hold, such as `2 witnesses of example.org/log`. */
  readonly word: string;
}

/** A source that does not verify: it bounds nothing. */
export interface FailedTimeSource {
  readonly source: string;
  readonly reason: VerifyReason;
}

/** Two bounds of which one is wrong: what was signed cannot be older than what it contains. */
export interface TimeContradiction {
  readonly not_before: TimeBound;
  readonly not_after: TimeBound;
}

/** An interval of time. Without a bound on a side, that side is open. */
export interface TimeBracket {
  /** The strictest, which is the latest, first. */
  readonly not_before: readonly TimeBound[];
  /** The strictest, which is the earliest, first. */
  readonly not_after: readonly TimeBound[];
  readonly failed: readonly FailedTimeSource[];
  /** One for each of `not_after` that precedes the strictest of `not_before`. */
  readonly contradictions: readonly TimeContradiction[];
}

/** The bracket of what is not verified. */
export const OPEN_BRACKET: TimeBracket = Object.freeze({
  not_before: [],
  not_after: [],
  failed: [],
  contradictions: [],
});

/** Verifies the beacons of one chain. */
export interface BeaconCheck {
  readonly chain: DrandChain;
  verify(beacon: Beacon): boolean;
}

/** Verifies beacons of drand quicknet. */
export function quicknetVerifier(bls: Pick<BlsVerifier, "verify">): BeaconCheck {
  return { chain: QUICKNET, verify: (beacon) => verifyBeacon(bls, QUICKNET, beacon) };
}

/**
 * The bracket of an attestation from itself alone; open when `outcome`, which is that of its
 * signatures, is not valid. A beacon that does not verify takes nothing from the signatures.
 */
export function attestationTime(
  beacons: BeaconCheck,
  { attestation, round }: SignedAttestation,
  outcome: SignedOutcome,
): TimeBracket {
  if (!outcome.valid) return OPEN_BRACKET;
  const signed = {
    time: attestation.timestamp,
    source: "attestation",
    word: witnessesOf(attestation.network_id, outcome.verified),
  };
  return withTimeBounds({ ...OPEN_BRACKET, ...beaconBound(beacons, round) }, {
    not_after: [signed],
  });
}

/** What a verified head, in whose tree the attestation is, says of its time. */
export function headBound(
  { network_id, tree_size, timestamp }: TreeHead,
  verified: number,
): TimeBound {
  return {
    time: timestamp,
    source: `tree head of size ${tree_size}`,
    word: witnessesOf(network_id, verified),
  };
}

/** What a verified cross-anchor says of it. */
export function crossAnchorBound(
  { tree_head, witnessing_network }: CrossAnchor,
  verified: number,
): TimeBound {
  return {
    time: tree_head.timestamp,
    source: `cross-anchor of size ${tree_head.tree_size}`,
    word: witnessesOf(witnessing_network, verified),
  };
}

/** `bracket` with further bounds of either side, verified by whoever adds them. */
export function withTimeBounds(
  bracket: TimeBracket,
  added: Partial<Pick<TimeBracket, "not_before" | "not_after">>,
): TimeBracket {
  const not_before = [...bracket.not_before, ...added.not_before ?? []]
    .toSorted((a, b) => b.time - a.time);
  const not_after = [...bracket.not_after, ...added.not_after ?? []]
    .toSorted((a, b) => a.time - b.time);
  const [strictest] = not_before;
  const contradictions = strictest === undefined ? [] : not_after
    .filter(({ time }) => time < strictest.time)
    .map((bound) => ({ not_before: strictest, not_after: bound }));
  return { ...bracket, not_before, not_after, contradictions };
}

function beaconBound(
  verifier: BeaconCheck,
  { beacon }: SignedAttestation["round"],
): Pick<TimeBracket, "not_before" | "failed"> {
  if (beacon === null) return { not_before: [], failed: [] };
  const { chain } = verifier;
  if (beacon.chain_hash !== chain.hash) {
    const source = `drand chain ${beacon.chain_hash} round ${beacon.round}`;
    return { not_before: [], failed: [{ source, reason: "beacon_chain_unknown" }] };
  }
  const source = `${chain.name} round ${beacon.round}`;
  if (!verifier.verify(beacon)) {
    return { not_before: [], failed: [{ source, reason: "beacon_invalid" }] };
  }
  const time = beaconTime(chain, beacon.round);
  return { not_before: [{ time, source, word: `the nodes of ${chain.name}` }], failed: [] };
}

function witnessesOf(networkId: string, count: number): string {
  return `${count} ${count === 1 ? "witness" : "witnesses"} of ${networkId}`;
}
