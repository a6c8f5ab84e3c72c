/**
 * Beacons for tests: real ones of drand quicknet, and those of a test chain.
 *
 * @module
 */

import { utf8 } from "../src/base/bytes.ts";
import { DRAND_SIGNATURE_DST } from "../src/proof/crypto/domains.ts";
import {
  type Beacon,
  beaconMessage,
  beaconTime,
  type DrandChain,
  QUICKNET,
} from "../src/proof/crypto/drand.ts";
import { portableKernels } from "../src/proof/crypto/portable_kernels.ts";
import type { BeaconSource } from "../src/gateway/ports.ts";
import { bls } from "./schemes.ts";
import { generateKey } from "../src/proof/crypto/bls_key_gen.ts";

/** Two consecutive rounds. */
export const QUICKNET_BEACONS: readonly [Beacon, Beacon] = [
  {
    chain_hash: QUICKNET.hash,
    round: 32_285_085,
    signature: "81dbce51d584d90d618547f4b50391d53ace6f6b9aeb8fb67e1879427af9d031" +
      "0ac0ec6f519271d9a313ee84b378d416",
  },
  {
    chain_hash: QUICKNET.hash,
    round: 32_285_086,
    signature: "a64d99fd7fa3e48912be7209c7b69c72c88fc5224be2516949b6f29f3a4b7e3f" +
      "a069dd58b2bbb4bf2c34ae61ef631a44",
  },
];

/** Unix seconds of the first round. */
export const QUICKNET_TIME = beaconTime(QUICKNET, QUICKNET_BEACONS[0].round);

/** A chain like quicknet with a known secret. */
export class TestChain implements DrandChain {
  readonly name = "test chain";
  readonly hash = portableKernels.sha256(utf8("chain of tests")).toHex();
  readonly periodSeconds = 3;
  readonly genesisTime: number;
  readonly publicKey;
  readonly #secretKey = generateKey(portableKernels.sha256(utf8("secret of the chain of tests")));

  /** Unix seconds of round 1. */
  constructor(genesisTime: number) {
    this.genesisTime = genesisTime;
    this.publicKey = bls.skToPk(this.#secretKey);
  }

  beacon(round: number): Beacon {
    const signature = bls.sign(this.#secretKey, beaconMessage(round), DRAND_SIGNATURE_DST);
    return { chain_hash: this.hash, round, signature: signature.toHex() };
  }
}

/** A beacon source that a test controls. */
export class SetBeacon implements BeaconSource {
  readonly chain: DrandChain;
  beacon: Beacon | null;

  constructor(chain: DrandChain, beacon: Beacon | null = null) {
    this.chain = chain;
    this.beacon = beacon;
  }

  latest(): Beacon | null {
    return this.beacon;
  }
}

/** `beacon` with one bit of its signature changed. */
export function forged(beacon: Beacon): Beacon {
  const signature = Uint8Array.fromHex(beacon.signature);
  signature[47]! ^= 1;
  return { ...beacon, signature: signature.toHex() };
}
