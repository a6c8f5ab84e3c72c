/**
 * The rule about beacons in rounds (protocol.md "Witness").
 *
 * @module
 */

import { type Beacon, BEACON_SECONDS_AHEAD, beaconTime } from "../proof/crypto/drand.ts";
import { type BeaconVerifier } from "../proof/crypto/beacon_verifier.ts";
import { errorBuilder } from "../base/errors.ts";

const refuse = errorBuilder("beacon_refused", "Cannot sign round");

export interface BeaconRule {
  readonly verifier: BeaconVerifier;
  /**
   * Maximum age of a beacon at its round's time. With a maximum, a round without a beacon is rejected,
   * so that no clock can date a round further ahead of the latest beacon. Without one, the witness
   * verifies beacons but does not require them.
   */
  readonly maxAgeSeconds?: number | undefined;
}

/**
 * Rejects with `beacon_refused` a beacon that does not fit a round of time `timestamp` (Unix seconds).
 * In order: it is required and missing, of another chain, too old or too new, or its signature is
 * invalid. The signature, which costs a pairing, is last. Synchronous.
 */
export function checkBeacon(
  { verifier, maxAgeSeconds }: BeaconRule,
  beacon: Beacon | null,
  timestamp: number,
): void {
  const { chain } = verifier;
  if (beacon === null) {
    if (maxAgeSeconds !== undefined) throw refuse(`it has no beacon of ${chain.name}`);
    return;
  }
  if (beacon.chain_hash !== chain.hash) throw refuse(`its beacon is not of ${chain.name}`);
  const time = beaconTime(chain, beacon.round);
  const earliest = maxAgeSeconds === undefined ? -Infinity : timestamp - maxAgeSeconds;
  if (time > timestamp + BEACON_SECONDS_AHEAD || time < earliest) {
    const from = maxAgeSeconds === undefined ? "" : `from ${earliest} `;
    const range = `${from}to ${timestamp + BEACON_SECONDS_AHEAD}`;
    throw refuse(`its beacon is of ${time}, and beacons ${range} are accepted`);
  }
  if (!verifier.verify(beacon)) throw refuse("the signature of its beacon is not valid");
}
