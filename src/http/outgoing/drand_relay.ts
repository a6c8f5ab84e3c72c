/**
 * The latest beacon of a drand chain, from relays of its public HTTP API
 * (docs.drand.love/developer/http-api): `GET <relay>/<chain hash>/public/latest` answers
 * `{"round", "signature", "randomness"}`. That is version 1, which every relay has.
 *
 * @module
 */

import { textOf } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import {
  type Beacon,
  BEACON_SIGNATURE_LENGTH,
  beaconTime,
  type DrandChain,
} from "../../proof/crypto/drand.ts";
import { type BeaconVerifier, roundAt } from "../../proof/crypto/beacon_verifier.ts";
import { errorBuilder, expectedError } from "../../base/errors.ts";
import { COUNT, hex, object } from "../../proof/format/schema.ts";
import { parseServiceUrl } from "../../proof/format/service_url.ts";
import type { BeaconSource } from "../../gateway/ports.ts";
import { Condition, type Report } from "../../base/report.ts";
import { sendRequest } from "../../client/http_client.ts";

/** Answers are about 250 bytes. */
const MAX_ANSWER_BYTES = 4 * 1024;
const CODE = "beacon_unavailable";
const unavailable = errorBuilder(CODE, "Cannot read beacon");
const ANSWER_TIMEOUT_MS = 3_000;
/** Relays have a round's beacon this long after the round's time. */
const RELAY_DELAY_MS = 700;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
/** Beacons in memory. Those with a time ahead of our clock wait here until their time. */
const MAX_KEPT = 32;

export interface DrandRelayOptions {
  /** URLs that {@linkcode parseServiceUrl} accepts; at least one. */
  readonly relays: readonly string[];
  /** Verifies beacons of the chain that the relays are asked for. */
  readonly verifier: BeaconVerifier;
  /** Maximum age of the beacon that {@linkcode DrandRelays.latest} returns. */
  readonly maxAgeSeconds: number;
  readonly clock: Clock;
  /** Allows `http:` beyond loopback. */
  readonly insecure?: boolean;
  /** Reports when there is no recent beacon, and when there is one again. */
  readonly report: Report;
}

/**
 * {@linkcode BeaconSource} that asks one relay after each round of the chain, and the next relay if the
 * first fails. Every beacon is verified, so no relay is trusted.
 */
export class DrandRelays implements BeaconSource {
  readonly #options: DrandRelayOptions;
  readonly #relays: readonly URL[];
  /** Verified, ascending by round. */
  readonly #beacons: Beacon[] = [];
  /** Index of the relay that last had the latest round. */
  #preferred = 0;
  /** Why there may be no recent beacon. */
  #lastFault = "no relay was asked yet";
  readonly #missing: Condition;

  /** `invalid_configuration` for a URL that {@linkcode parseServiceUrl} rejects. */
  constructor(options: DrandRelayOptions) {
    this.#options = options;
    this.#missing = new Condition(options);
    const insecure = options.insecure ?? false;
    this.#relays = options.relays.map((relay) => parseServiceUrl(relay, { insecure }));
  }

  get chain(): DrandChain {
    return this.#options.verifier.chain;
  }

  latest(): Beacon | null {
    const now = unixSeconds(this.#options.clock);
    const beacon = this.#beacons.findLast(({ round }) => beaconTime(this.chain, round) <= now);
    if (beacon === undefined) return null;
    const age = now - beaconTime(this.chain, beacon.round);
    return age <= this.#options.maxAgeSeconds ? beacon : null;
  }

  /** Polls the relays until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let delayMs = FIRST_DELAY_MS;
    while (!signal.aborted) {
      const before = this.#newest;
      const isCurrent = await this.#askInTurn(signal);
      if (signal.aborted) return;
      this.#reportCondition();
      if (this.#newest > before) delayMs = FIRST_DELAY_MS;
      await clock.sleep(isCurrent ? this.#untilNextMs() : delayMs, signal);
      delayMs = Math.min(2 * delayMs, MAX_DELAY_MS);
    }
  }

  /** Round of the newest beacon, 0 while there is none. */
  get #newest(): number {
    return this.#beacons.at(-1)?.round ?? 0;
  }

  /** The latest round that relays should have. */
  #dueRound(): number {
    return roundAt(this.chain, (this.#options.clock.nowMs() - RELAY_DELAY_MS) / 1000);
  }

  /** Asks each relay until one has {@linkcode #dueRound}; false when none has. */
  async #askInTurn(signal: AbortSignal): Promise<boolean> {
    const from = this.#preferred;
    const due = this.#dueRound();
    for (let i = 0; i < this.#relays.length && !signal.aborted; i++) {
      const index = (from + i) % this.#relays.length;
      const relay = this.#relays[index]!;
      try {
        const beacon = await this.#ask(relay, signal);
        this.#add(beacon);
        if (beacon.round >= due) {
          this.#preferred = index;
          // With a current beacon, only a slow clock can be why none is recent.
          this.#lastFault = "the clock of this machine is behind";
          return true;
        }
        this.#lastFault = `${relay.host} is behind, at round ${beacon.round}`;
      } catch (error) {
        this.#lastFault = `${relay.host}: ${expectedError(error).message}`;
      }
    }
    return false;
  }

  /** Adds `beacon` if it is newer than all others. */
  #add(beacon: Beacon): void {
    if (beacon.round <= this.#newest) return;
    this.#beacons.push(beacon);
    if (this.#beacons.length > MAX_KEPT) this.#beacons.shift();
  }

  /** The verified beacon that `relay` calls its latest; `beacon_unavailable`. */
  async #ask(relay: URL, signal: AbortSignal): Promise<Beacon> {
    const { status, body } = await sendRequest(
      new URL(`${this.chain.hash}/public/latest`, relay),
      {
        maxBytes: MAX_ANSWER_BYTES,
        timeoutMs: ANSWER_TIMEOUT_MS,
        signal,
        failure: "Cannot read beacon",
        codes: { unreachable: CODE, tooLarge: CODE },
      },
    );
    if (status !== 200) throw unavailable(`the relay answered ${status}`);
    const beacon = readLatestBeacon(textOf(body, CODE), this.chain);
    if (!this.#options.verifier.verify(beacon)) throw unavailable("its signature is not valid");
    return beacon;
  }

  /** Milliseconds until relays should have the next round, by a clock that may be wrong. */
  #untilNextMs(): number {
    const next = Math.max(this.#newest, this.#dueRound()) + 1;
    const atMs = 1000 * beaconTime(this.chain, next) + RELAY_DELAY_MS;
    const nowMs = this.#options.clock.nowMs();
    const mostMs = 1000 * this.chain.periodSeconds + MAX_DELAY_MS;
    return Math.min(Math.max(atMs - nowMs, FIRST_DELAY_MS), mostMs);
  }

  #reportCondition(): void {
    const { name } = this.chain;
    if (this.latest() !== null) return this.#missing.ended(`Beacons of ${name} are recent again`);
    this.#missing.holds(
      `No beacon of ${name} of the last ${this.#options.maxAgeSeconds} s: ${this.#lastFault}. Make ` +
        "sure that this machine reaches the relays and that its clock is right",
      { code: CODE },
    );
  }
}

const LATEST_BEACON = object(
  { round: COUNT, signature: hex(BEACON_SIGNATURE_LENGTH, "Over the round") },
  "allowed",
);

/** The beacon in a relay's answer, not verified; `beacon_unavailable`. */
export function readLatestBeacon(text: string, chain: DrandChain): Beacon {
  const beacon = LATEST_BEACON.parseText(text, { where: "beacon", code: CODE });
  return { chain_hash: chain.hash, ...beacon };
}
