/**
 * Beacons in a simulation, from a chain with a known key and the time of the gateway's machine.
 * During a network storm the relays are unreachable, so a gateway's latest beacon becomes old.
 *
 * @module
 */

import { type Beacon, beaconTime } from "../../src/proof/crypto/drand.ts";
import { BeaconVerifier, roundAt } from "../../src/proof/crypto/beacon_verifier.ts";
import type { BeaconSource } from "../../src/gateway/ports.ts";
import { unixSeconds } from "../../src/base/clock.ts";
import { TestChain } from "../beacons.ts";
import { bls } from "../schemes.ts";
import type { World } from "./world.ts";

/** Long before the begin of any simulation, even with wrong clocks. */
export const CHAIN = new TestChain(1_700_000_000);

/** The shared verifier; its results depend only on the beacon. */
export const beaconVerifier = new BeaconVerifier(bls, CHAIN);

/** For gateways and for witnesses that require a beacon. */
export const MAX_BEACON_AGE_SECONDS = 30;

/** By round; identical in every simulation. */
const beacons = new Map<number, Beacon>();

function beaconOf(round: number): Beacon {
  const beacon = beacons.get(round) ?? CHAIN.beacon(round);
  beacons.set(round, beacon);
  return beacon;
}

/** The relays of one gateway process. */
export class SimulatedRelays implements BeaconSource {
  readonly chain = CHAIN;
  readonly #world: World;
  #newest: Beacon | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  latest(): Beacon | null {
    const { clock, elements } = this.#world;
    const now = unixSeconds(clock);
    if (elements.network !== "storm") this.#newest = beaconOf(roundAt(CHAIN, now));
    if (this.#newest === null) return null;
    const age = now - beaconTime(CHAIN, this.#newest.round);
    return age >= 0 && age <= MAX_BEACON_AGE_SECONDS ? this.#newest : null;
  }
}
