/**
 * The latest beacon of a drand chain, from relays of its public HTTP API
 * (docs.drand.love/developer/http-api): `GET <relay>/<chain hash>/public/latest` answers
 * `{"round", "signature", "randomness"}`. That is version 1, which every relay has.
 *
 * @module
 */

import { textOf } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import {
  type Beacon,
  BEACON_SIGNATURE_LENGTH,
  beaconTime,
  type BeaconVerifier,
  type DrandChain,
  roundAt,
} from "../crypto/drand.ts";
import { CountersignError } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import type { BeaconSource } from "../gateway/ports.ts";
import { Condition, type Report } from "../report.ts";
import { readBounded } from "./bounded_body.ts";

/** An answer is about 250 bytes. */
const MAX_ANSWER_BYTES = 4 * 1024;
const ANSWER_TIMEOUT_MS = 3_000;
/** A chain signs within this of a round's time, and relays have it. */
const RELAY_DELAY_MS = 700;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
/** Beacons kept: those ahead of a clock that is behind wait among them for their time. */
const MAX_KEPT = 32;

/** Where beacons come from, and what becomes of them. */
export interface DrandRelayOptions {
  /** URLs that {@linkcode parseServiceUrl} takes; at least one. */
  readonly relays: readonly string[];
  /** Of the chain whose beacons are asked for. */
  readonly verifier: BeaconVerifier;
  /** The most seconds by which {@linkcode DrandRelays.latest} is behind the clock. */
  readonly maxAgeSeconds: number;
  readonly clock: Clock;
  /** Allows `http:` beyond loopback. */
  readonly insecure?: boolean;
  /** Told when beacons stop being recent, and when they are again. */
  readonly report: Report;
}

/**
 * {@linkcode BeaconSource} that asks one relay after each round of the chain, and the next one where
 * that does not answer. No relay is believed: what does not verify is no answer.
 */
export class DrandRelays implements BeaconSource {
  readonly #options: DrandRelayOptions;
  readonly #relays: readonly URL[];
  /** Verified, ascending by round; the newest last. */
  readonly #beacons: Beacon[] = [];
  /** The relay that had the latest round last. */
  #preferred = 0;
  /** Why there may be no recent beacon, from when a relay was last asked. */
  #lastFault = "nothing was asked yet";
  readonly #missing: Condition;

  /** `invalid_configuration` for a URL that {@linkcode parseServiceUrl} refuses. */
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

  /** Keeps asking until `signal` aborts, whatever relays answer. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let delayMs = FIRST_DELAY_MS;
    while (!signal.aborted) {
      const before = this.#newest;
      const isCurrent = await this.#askInTurn(signal);
      if (signal.aborted) return;
      this.#reportChange();
      if (this.#newest > before) delayMs = FIRST_DELAY_MS;
      await clock.sleep(isCurrent ? this.#untilNextMs() : delayMs, signal);
      delayMs = Math.min(2 * delayMs, MAX_DELAY_MS);
    }
  }

  /** Round of the newest beacon, 0 while there is none. */
  get #newest(): number {
    return this.#beacons.at(-1)?.round ?? 0;
  }

  /** The round that relays should have. */
  #dueRound(): number {
    return roundAt(this.chain, (this.#options.clock.nowMs() - RELAY_DELAY_MS) / 1000);
  }

  /** Asks each relay until one has the round that all should have; false when none has. */
  async #askInTurn(signal: AbortSignal): Promise<boolean> {
    const from = this.#preferred;
    const due = this.#dueRound();
    for (let i = 0; i < this.#relays.length && !signal.aborted; i++) {
      const place = (from + i) % this.#relays.length;
      const relay = this.#relays[place]!;
      try {
        const beacon = await this.#ask(relay, signal);
        this.#take(beacon);
        if (beacon.round >= due) {
          this.#preferred = place;
          // The one reason why what is current would not be recent.
          this.#lastFault = "the clock of this machine is behind";
          return true;
        }
        this.#lastFault = `${relay.host} is behind, at round ${beacon.round}`;
      } catch (error) {
        if (!(error instanceof CountersignError)) throw error;
        this.#lastFault = `${relay.host}: ${error.message}`;
      }
    }
    return false;
  }

  /** Keeps `beacon` if it is newer than all that are kept. */
  #take(beacon: Beacon): void {
    if (beacon.round <= this.#newest) return;
    this.#beacons.push(beacon);
    if (this.#beacons.length > MAX_KEPT) this.#beacons.shift();
  }

  /** The verified beacon that `relay` calls its latest; `beacon_unavailable`. */
  async #ask(relay: URL, signal: AbortSignal): Promise<Beacon> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    let status, body;
    try {
      const url = new URL(`${this.chain.hash}/public/latest`, relay);
      const response = await fetch(url, { redirect: "error", signal: limit });
      status = response.status;
      body = await readBounded(response, MAX_ANSWER_BYTES);
    } catch (cause) {
      throw unavailable("an answer in time", "none", { cause });
    }
    if (status !== 200 || body === undefined) {
      throw unavailable(
        `status 200 and at most ${MAX_ANSWER_BYTES} bytes`,
        body === undefined ? "more bytes" : `status ${status}`,
      );
    }
    const beacon = readLatestBeacon(textOf(body, "beacon_unavailable"), this.chain);
    if (!this.#options.verifier.verify(beacon)) {
      throw unavailable("the chain's signature of the round", "another");
    }
    return beacon;
  }

  /** Milliseconds until relays have the round that comes next, by a clock that may be wrong. */
  #untilNextMs(): number {
    const next = Math.max(this.#newest, this.#dueRound()) + 1;
    const atMs = 1000 * beaconTime(this.chain, next) + RELAY_DELAY_MS;
    const nowMs = this.#options.clock.nowMs();
    const mostMs = 1000 * this.chain.periodSeconds + MAX_DELAY_MS;
    return Math.min(Math.max(atMs - nowMs, FIRST_DELAY_MS), mostMs);
  }

  #reportChange(): void {
    const { name } = this.chain;
    if (this.latest() !== null) return this.#missing.ended(`Beacons of ${name} are recent again`);
    this.#missing.holds(
      `No beacon of ${name} of the last ${this.#options.maxAgeSeconds} s: ${this.#lastFault}. Make ` +
        "sure that this machine reaches its relays and that its clock is right",
      { code: "beacon_unavailable" },
    );
  }
}

/** The beacon of a relay's answer, not verified; `beacon_unavailable`. */
export function readLatestBeacon(text: string, chain: DrandChain): Beacon {
  const code = "beacon_unavailable";
  const fields = new Fields(
    parseStrictJson(text, code),
    { where: "beacon", code },
    ["round", "signature"],
    { ignoreUnknown: true },
  );
  return {
    chain_hash: chain.hash,
    round: fields.count("round"),
    signature: fields.hex("signature", BEACON_SIGNATURE_LENGTH),
  };
}

function unavailable(
  required: string,
  found: string,
  options: ErrorOptions = {},
): CountersignError {
  return new CountersignError(
    "beacon_unavailable",
    `Cannot read beacon: ${required} required, found ${found}`,
    options,
  );
}
