/**
 * Verifies many beacons: as a batch, or one by one with a cache.
 *
 * @module
 */

import { RecentlyUsed } from "../../base/recently_used.ts";
import type { Bls } from "./bls.ts";
import type { BlsVerifier } from "./bls_verifier.ts";
import { DRAND_SIGNATURE_DST } from "./domains.ts";
import {
  type Beacon,
  beaconMessage,
  beaconSignature,
  type DrandChain,
  QUICKNET,
  verifyBeacon,
} from "./drand.ts";

/** The last round of `chain` at `time`, Unix seconds; 0 before its genesis. */
export function roundAt(chain: DrandChain, time: number): number {
  return Math.max(0, Math.floor((time - chain.genesisTime) / chain.periodSeconds) + 1);
}

/**
 * Whether each of `beacons` has the hash of `chain`, a round from 1 on with a time below 2^53, and a
 * valid signature. A batch costs little more than one beacon.
 */
export function verifyBeacons(
  bls: Pick<Bls, "batchVerify">,
  chain: DrandChain,
  beacons: readonly Beacon[],
): boolean[] {
  const verdicts = beacons.map(() => false);
  const checked = beacons.flatMap((beacon, i) => {
    const signature = beaconSignature(chain, beacon);
    if (signature === undefined) return [];
    const check = { publicKeys: [chain.publicKey], message: beaconMessage(beacon.round) };
    return [{ i, check: { ...check, signature } }];
  });
  const verified = bls.batchVerify(checked.map(({ check }) => check), DRAND_SIGNATURE_DST);
  for (const [at, { i }] of checked.entries()) verdicts[i] = verified[at]!;
  return verdicts;
}

/** There is one beacon in each period. */
const CACHE_SIZE = 16;

/** Verifies beacons of one chain and caches valid ones. Synchronous. */
export class BeaconVerifier {
  readonly chain: DrandChain;
  readonly #bls: Pick<BlsVerifier, "verify">;
  /** Valid signatures by round. */
  readonly #verified = new RecentlyUsed<number, string>(CACHE_SIZE);

  constructor(bls: Pick<BlsVerifier, "verify">, chain: DrandChain = QUICKNET) {
    this.#bls = bls;
    this.chain = chain;
  }

  /** Whether {@linkcode BeaconVerifier.verify} needs a pairing check. */
  needsPairing(beacon: Beacon): boolean {
    return beaconSignature(this.chain, beacon) !== undefined && !this.#isVerified(beacon);
  }

  /** {@linkcode verifyBeacon}. */
  verify(beacon: Beacon): boolean {
    if (this.#isVerified(beacon)) return true;
    if (!verifyBeacon(this.#bls, this.chain, beacon)) return false;
    this.#verified.set(beacon.round, beacon.signature);
    return true;
  }

  #isVerified({ chain_hash, round, signature }: Beacon): boolean {
    return chain_hash === this.chain.hash && this.#verified.get(round) === signature;
  }
}
