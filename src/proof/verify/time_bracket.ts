/**
 * The interval of time in which an attestation was signed (T1 to T6 of verification.md "Bundle:
 * inputs, checks, results"). Lower bound: the public randomness in the signed round. Upper bounds: the
 * times of signers of the round and of tree heads that contain the attestation.
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
  /** The source, for people, such as `drand quicknet round 32285085`. */
  readonly source: string;
  /** Who vouches for it, such as `2 witnesses of example.org/log`. */
  readonly word: string;
}

/** A source that does not verify. It bounds nothing. */
export interface FailedTimeSource {
  readonly source: string;
  readonly reason: VerifyReason;
}

/** Two bounds of which one is wrong: a signed text cannot be older than the beacon in it. */
export interface TimeContradiction {
  readonly not_before: TimeBound;
  readonly not_after: TimeBound;
}

/** An interval of time. A side without a bound is open. */
export interface TimeBracket {
  /** Strictest first: the latest. */
  readonly not_before: readonly TimeBound[];
  /** Strictest first: the earliest. */
  readonly not_after: readonly TimeBound[];
  readonly failed: readonly FailedTimeSource[];
  /** One for each `not_after` that is below the strictest `not_before` (T6). */
  readonly contradictions: readonly TimeContradiction[];
}

/** The bracket of an attestation that is not verified. */
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
 * The bracket of an attestation without its batch; open if `outcome`, the result of verifying it, is
 * not valid. A beacon that does not verify does not make the signatures invalid (T4).
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

/** The bound of a verified head whose tree contains the attestation (T5). */
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

/** The bound of a verified cross-anchor (T5). */
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

/** `bracket` with further bounds, which the caller has verified. */
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
  if (beacon === null) return { not_before: [], failed: [] }; // T1
  const { chain } = verifier;
  if (beacon.chain_hash !== chain.hash) { // T2
    const source = `drand chain ${beacon.chain_hash} round ${beacon.round}`;
    return { not_before: [], failed: [{ source, reason: "beacon_chain_unknown" }] };
  }
  const source = `${chain.name} round ${beacon.round}`;
  if (!verifier.verify(beacon)) { // T3
    return { not_before: [], failed: [{ source, reason: "beacon_invalid" }] };
  }
  const time = beaconTime(chain, beacon.round);
  return { not_before: [{ time, source, word: `the nodes of ${chain.name}` }], failed: [] };
}

function witnessesOf(networkId: string, count: number): string {
  return `${count} ${count === 1 ? "witness" : "witnesses"} of ${networkId}`;
}
