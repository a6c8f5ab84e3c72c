/**
 * Checks the beacons of signed rounds: each must be of the chain, and not later than its round.
 *
 * @module
 */

import type { Bls } from "../../proof/crypto/bls.ts";
import {
  type Beacon,
  BEACON_SECONDS_AHEAD,
  beaconTime,
  type DrandChain,
  QUICKNET,
} from "../../proof/crypto/drand.ts";
import { verifyBeacons } from "../../proof/crypto/beacon_verifier.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";
import type { FaultLog } from "./faults.ts";

/** Cached verdicts. Rounds within some seconds share a beacon. */
const MAX_VERDICTS = 2 ** 10;

export interface BeaconOfRound {
  readonly place: string | number;
  /** Unix seconds of the round. */
  readonly timestamp: number;
  readonly beacon: Beacon;
}

/** Verifies beacons in batches, each once. */
export class BeaconChecker {
  readonly #bls: Pick<Bls, "batchVerify">;
  readonly #faults: FaultLog;
  readonly #chain: DrandChain;
  readonly #verdicts = new RecentlyUsed<string, boolean>(MAX_VERDICTS);

  constructor(
    bls: Pick<Bls, "batchVerify">,
    faults: FaultLog,
    chain: DrandChain = QUICKNET,
  ) {
    this.#bls = bls;
    this.#faults = faults;
    this.#chain = chain;
  }

  /** Reports every wrong beacon. */
  check(rounds: readonly BeaconOfRound[]): void {
    const verdicts = this.#verdictsOf(rounds);
    for (const { place, timestamp, beacon } of rounds) {
      const { round } = beacon;
      const name = `beacon ${round} of chain ${beacon.chain_hash}`;
      if (!verdicts.get(nameOf(beacon))) {
        this.#faults.add("beacon", place, `${name} is not signed by ${this.#chain.name}`);
        continue;
      }
      const time = beaconTime(this.#chain, round);
      const limit = timestamp + BEACON_SECONDS_AHEAD;
      if (time <= limit) continue;
      this.#faults.add("beacon", place, `${name} is of ${time}, after ${limit}`);
    }
  }

  /** By name. Complete for `rounds`, even if the cache is smaller. */
  #verdictsOf(rounds: readonly BeaconOfRound[]): Map<string, boolean | undefined> {
    const beacons = new Map(rounds.map(({ beacon }) => [nameOf(beacon), beacon]));
    const verdicts = new Map([...beacons.keys()].map((name) => [name, this.#verdicts.get(name)]));
    const unknown = [...beacons].filter(([name]) => verdicts.get(name) === undefined);
    const found = verifyBeacons(this.#bls, this.#chain, unknown.map(([, beacon]) => beacon));
    for (const [i, [name]] of unknown.entries()) {
      verdicts.set(name, found[i]);
      this.#verdicts.set(name, found[i]!);
    }
    return verdicts;
  }
}

function nameOf({ chain_hash, round, signature }: Beacon): string {
  return `${chain_hash}/${round}/${signature}`;
}
