/**
 * Which beacons a witness lets stand in a round that it signs.
 *
 * @module
 */

import {
  type Beacon,
  BEACON_SECONDS_AHEAD,
  beaconTime,
  type BeaconVerifier,
} from "../crypto/drand.ts";
import { CountersignError } from "../errors.ts";

/** What a witness asks of beacons. */
export interface BeaconRule {
  readonly verifier: BeaconVerifier;
  /**
   * The most seconds by which a beacon may be older than its round; a round without one is then
   * refused. So no clock can date a round further ahead of the latest beacon. Absent for a witness
   * that only verifies the beacons of its rounds: then only clocks bound their times.
   */
  readonly maxAgeSeconds?: number;
}

/**
 * Refuses with `beacon_refused` what may not stand in a round of time `timestamp` (Unix seconds), in
 * this order of checks: none where one is needed, another chain, a time that is not the round's, a
 * wrong signature. What costs a pairing is last. Synchronous.
 */
export function checkBeacon(
  { verifier, maxAgeSeconds }: BeaconRule,
  beacon: Beacon | null,
  timestamp: number,
): void {
  const { chain } = verifier;
  if (beacon === null) {
    if (maxAgeSeconds !== undefined) throw refuse(`a beacon of ${chain.name}`, "none");
    return;
  }
  if (beacon.chain_hash !== chain.hash) throw refuse(`a beacon of ${chain.name}`, "another chain");
  const time = beaconTime(chain, beacon.round);
  const earliest = maxAgeSeconds === undefined ? -Infinity : timestamp - maxAgeSeconds;
  if (time > timestamp + BEACON_SECONDS_AHEAD || time < earliest) {
    const from = maxAgeSeconds === undefined ? "" : `from ${earliest} `;
    throw refuse(`a beacon ${from}to ${timestamp + BEACON_SECONDS_AHEAD}`, `one of ${time}`);
  }
  if (!verifier.verify(beacon)) throw refuse("the chain's signature of the round", "another");
}

function refuse(required: string, found: string): CountersignError {
  return new CountersignError(
    "beacon_refused",
    `Cannot sign round: ${required} required, ${found} found`,
  );
}
