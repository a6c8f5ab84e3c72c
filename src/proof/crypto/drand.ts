/**
 * Beacons of a drand chain (docs.drand.love, scheme `bls-unchained-g1-rfc9380`). In every period
 * the chain signs a round number, and that signature is unpredictable. A text that contains a
 * beacon was written after the time of the beacon's round.
 *
 * @module
 */

import { type Bytes, bytesOfHex, fromHex, HASH_LENGTH, isHex, uint64 } from "../../base/bytes.ts";
import type { BlsVerifier } from "./bls_verifier.ts";
import { DRAND_SIGNATURE_DST } from "./domains.ts";
import { sha256 } from "./hashing.ts";

/** Length in bytes of a beacon's signature: a point of G1, compressed. */
export const BEACON_SIGNATURE_LENGTH = 48;

/** How far a beacon may be ahead of the time of its round of attestations: clocks differ. */
export const BEACON_SECONDS_AHEAD = 5;

/** Public randomness that bounds a time from below (protocol.md "Resources"). */
export interface Beacon {
  /** 64 lowercase hex. */
  readonly chain_hash: string;
  readonly round: number;
  /** 96 lowercase hex. */
  readonly signature: string;
}

/** A chain, whose hash commits to the rest of it. */
export interface DrandChain {
  /** The display name. */
  readonly name: string;
  /** 64 lowercase hex. */
  readonly hash: string;
  /** A point of G2, 96 bytes compressed. */
  readonly publicKey: Bytes;
  readonly periodSeconds: number;
  /** Unix seconds of round 1. */
  readonly genesisTime: number;
}

/** The only supported chain: the League of Entropy's with a period of 3 s. */
export const QUICKNET: DrandChain = Object.freeze({
  name: "drand quicknet",
  hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  publicKey: fromHex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c" +
      "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb" +
      "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  ),
  periodSeconds: 3,
  genesisTime: 1_692_803_367,
});

/** Unix seconds at which `round` of `chain` is signed, from round 1 on. */
export function beaconTime(chain: DrandChain, round: number): number {
  return chain.genesisTime + (round - 1) * chain.periodSeconds;
}

/** The message that the chain signs: SHA-256 of the round as 8 bytes, big-endian. */
export function beaconMessage(round: number): Bytes {
  return sha256(uint64(round));
}

/** True if `beacon` has the hash of `chain`, a round from 1 on, and a valid signature. */
export function verifyBeacon(
  bls: Pick<BlsVerifier, "verify">,
  chain: DrandChain,
  beacon: Beacon,
): boolean {
  const signature = beaconSignature(chain, beacon);
  return signature !== undefined &&
    bls.verify(chain.publicKey, beaconMessage(beacon.round), signature, DRAND_SIGNATURE_DST);
}

/**
 * The decoded signature of a beacon of `chain`, not verified; `undefined` for another chain, a round
 * below 1, or a time of 2^53 or more.
 */
export function beaconSignature(chain: DrandChain, beacon: Beacon): Bytes | undefined {
  const { chain_hash, round, signature } = beacon;
  if (!isHex(chain_hash, HASH_LENGTH) || chain_hash !== chain.hash) return undefined;
  if (!(round >= 1) || !Number.isSafeInteger(beaconTime(chain, round))) return undefined;
  return bytesOfHex(signature, BEACON_SIGNATURE_LENGTH);
}
