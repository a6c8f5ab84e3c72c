/**
 * The shared state of a simulation: randomness, time, weather, the network's keys and the first
 * fault.
 *
 * @module
 */

import { Ed25519Signer, generateSeed } from "../../src/proof/crypto/ed25519_native.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { Follower, SequencerLink } from "../../src/gateway/fronts/ports.ts";
import type { BeaconSource, LogStore, WitnessClient } from "../../src/gateway/ports.ts";
import type { CryptoSuite } from "../../src/proof/crypto/crypto_suite.ts";
import { configuredWitness, nativeCrypto, schemeSigner, type TestSigner } from "../schemes.ts";
import type { MemoryLogStore } from "../gateway/memory_store.ts";
import { faultOf, type SimulationFault } from "./fault.ts";
import type { Random } from "../random.ts";
import { RoundLedger } from "./round_ledger.ts";
import type { ServedGateway } from "./serving_thread.ts";
import { SignatureLedger } from "./signature_ledger.ts";
import { MachineClock, type Timeline } from "./timeline.ts";
import type { Tokens } from "./tokens.ts";
import type { Trace } from "./trace.ts";
import { Elements } from "./weather.ts";

/** Replacement parts of a gateway with a deliberate defect. */
export interface Sabotage {
  readonly store?: (store: MemoryLogStore) => LogStore;
  readonly witnesses?: (clients: readonly WitnessClient[]) => readonly WitnessClient[];
  readonly crypto?: CryptoSuite;
  readonly beacons?: (relays: BeaconSource) => BeaconSource;
  /** Of each front: what receives the updates, the link to its sequencer, and what clients use. */
  readonly follower?: (follower: Follower) => Follower;
  readonly link?: (link: SequencerLink) => SequencerLink;
  readonly front?: (front: ServedGateway) => ServedGateway;
  /** Witnesses sign rounds with any beacon. */
  readonly areWitnessesCredulous?: boolean;
  /** Witnesses keep their state in memory only, but are treated as honest. */
  readonly areWitnessesForgetful?: boolean;
  /** Witnesses sign any text for the digests that they signed. */
  readonly areWitnessesTextBlind?: boolean;
  /** A renewal of a lease that fails is thought to have succeeded. */
  readonly isLeaseBelieved?: boolean;
  /** A process takes the fence of a database without waiting for commits in progress. */
  readonly isFenceHasty?: boolean;
  /** Replaces the reported health. */
  readonly health?: (found: string) => string;
}

/** Engines of the gateways' store. */
export const ENGINES = ["kv", "postgres"] as const;
export type Engine = typeof ENGINES[number];

/** Network sizes and thresholds that simulations choose from. */
const SHAPES = [[3, 2], [3, 2], [4, 3], [5, 3], [1, 1]] as const;

export class World {
  readonly random: Random;
  readonly timeline: Timeline;
  readonly trace: Trace;
  readonly tokens: Tokens;
  readonly elements: Elements;
  readonly network: NetworkConfiguration;
  readonly signers: readonly TestSigner[];
  readonly logSigner: Ed25519Signer;
  readonly ledger: SignatureLedger;
  readonly rounds: RoundLedger;
  /** The clock of the gateways' machine. */
  readonly clock: MachineClock;
  readonly sabotage: Sabotage;
  #fault: SimulationFault | undefined;

  constructor(
    context: {
      readonly random: Random;
      readonly timeline: Timeline;
      readonly trace: Trace;
      readonly tokens: Tokens;
    },
    scheme: SignatureScheme,
    sabotage: Sabotage,
    readonly engine: Engine = "kv",
  ) {
    const { random, timeline, trace, tokens } = context;
    this.random = random;
    this.timeline = timeline;
    this.trace = trace;
    this.tokens = tokens;
    this.sabotage = sabotage;
    this.elements = new Elements(random);
    this.clock = new MachineClock(timeline, "gateway");
    this.logSigner = new Ed25519Signer(generateSeed());
    const [size, threshold] = random.pick(SHAPES);
    const id = "test.example/log";
    this.signers = Array.from(
      { length: size },
      (_, i) => schemeSigner(scheme, `${id}/w${i + 1}`),
    );
    this.network = {
      id,
      threshold,
      signature_scheme: scheme,
      witnesses: this.signers.map((signer, i) => configuredWitness(`${id}/w${i + 1}`, signer)),
      log_vkey: encodeVkey({
        name: id,
        type: NOTE_TYPE.ed25519,
        publicKey: this.logSigner.publicKey,
      }),
      merge_delay_seconds: 3600,
      federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
    };
    this.ledger = new SignatureLedger(threshold, (fault) => this.fail(fault));
    this.rounds = new RoundLedger((fault) => this.fail(fault));
  }

  /** The correct cryptography, for all checks of the simulation. */
  get crypto(): CryptoSuite {
    return nativeCrypto;
  }

  /**
   * Maximum number of witnesses that may break the rules of tree heads without a fork of an old
   * copy.
   */
  get tolerated(): number {
    return Math.max(0, 2 * this.network.threshold - this.network.witnesses.length - 1);
  }

  /** The first fault, if any. */
  get fault(): SimulationFault | undefined {
    return this.#fault;
  }

  fail(error: unknown): void {
    if (this.#fault !== undefined) return;
    this.#fault = faultOf(error);
    this.trace.note(`fault ${this.#fault.message}`);
  }

  /** Runs a check. A fault ends the simulation and is not thrown. */
  check(body: () => void): void {
    try {
      body();
    } catch (error) {
      this.fail(error);
    }
  }
}
