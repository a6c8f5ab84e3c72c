/**
 * A whole gateway in one process: three real witnesses over memory states, Deno KV in memory or on
 * disk, and any clock.
 *
 * @module
 */

import { followedLog } from "../witness/fixture.ts";
import type { Bytes } from "../../src/base/bytes.ts";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { Ed25519Signer, generateSeed } from "../../src/proof/crypto/ed25519_native.ts";
import type { Ed25519Verify } from "../../src/proof/crypto/ed25519_rule.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { coreOf } from "../../src/proof/format/trust_core.ts";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { Gateway } from "../../src/gateway/gateway.ts";
import type { PipelineObserver } from "../../src/gateway/observer.ts";
import type { Tracer } from "../../src/gateway/tracer.ts";
import type {
  AnchorSource,
  BeaconSource,
  LogStore,
  WitnessClient,
} from "../../src/gateway/ports.ts";
import type { Report } from "../../src/base/report.ts";
import { RoundTreeMemo } from "../../src/proof/merkle/round_tree.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { EmbeddedWitness } from "../../src/server/gateway/embedded_witness.ts";
import type { BeaconRule } from "../../src/witness/beacon_rule.ts";
import { Witness } from "../../src/witness/witness.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { WitnessReach } from "../../src/proof/format/witness_request.ts";
import {
  anyBeacons,
  configuredWitness,
  nativeCrypto,
  schemeSigner,
  type TestSigner,
} from "../schemes.ts";
import { LogLines } from "../log_lines.ts";
import { Random } from "../random.ts";
import { SEED } from "../seed.ts";
import { MemoryWitnessState } from "../witness/memory_state.ts";
import { WrappedWitness } from "./wrapped_witness.ts";

/** Every head that was sent to a witness. No size may have two roots, even after crashes. */
export class HeadLedger {
  readonly #roots = new Map<number, Set<string>>();

  note(size: number, root: string): void {
    this.#roots.set(size, (this.#roots.get(size) ?? new Set()).add(root));
  }

  /** Sizes with more than one root. */
  get forks(): number[] {
    return [...this.#roots].filter(([, roots]) => roots.size > 1).map(([size]) => size);
  }

  rootAt(size: number): string | undefined {
    return [...this.#roots.get(size) ?? []][0];
  }
}

/**
 * A witness that counts its requests and that a test can fail: `down` refuses all requests,
 * `silent` never answers.
 */
export class SwitchedWitness extends WrappedWitness {
  readonly #ledger: HeadLedger;
  state: "up" | "down" | "silent" = "up";
  readonly asked = { sign: 0, cosign: 0 };

  constructor(client: WitnessClient, ledger: HeadLedger) {
    super(client);
    this.#ledger = ledger;
  }

  get down(): boolean {
    return this.state === "down";
  }

  set down(down: boolean) {
    this.state = down ? "down" : "up";
  }

  override sign(...args: Parameters<WitnessClient["sign"]>): Promise<Bytes> {
    this.asked.sign++;
    return this.#answer(() => super.sign(...args));
  }

  override cosign(
    ...args: Parameters<WitnessClient["cosign"]>
  ): ReturnType<WitnessClient["cosign"]> {
    this.asked.cosign++;
    const { tree_size, root_hash } = args[0].treeHead;
    this.#ledger.note(tree_size, root_hash);
    return this.#answer(() => super.cosign(...args));
  }

  override checkHealth(signal: AbortSignal): Promise<void> {
    return this.#answer(() => super.checkHealth(signal));
  }

  override reach(signal: AbortSignal): Promise<WitnessReach> {
    return this.#answer(() => super.reach(signal));
  }

  override roundsFrom(
    ...args: Parameters<WitnessClient["roundsFrom"]>
  ): ReturnType<WitnessClient["roundsFrom"]> {
    return this.#answer(() => super.roundsFrom(...args));
  }

  #answer<T>(ask: () => Promise<T>): Promise<T> {
    if (this.state === "silent") return new Promise(() => {});
    return this.down ? Promise.reject(new Error("down")) : ask();
  }
}

/** The keys and witnesses of one network, used by several gateways. */
export class TestNetwork {
  readonly network: NetworkConfiguration;
  readonly witnesses: SwitchedWitness[];
  /** The state of each witness, which outlives gateways and can be replaced. */
  readonly states: MemoryWitnessState[];
  /** The witnesses' keys, for dishonest witnesses. */
  readonly signers: readonly TestSigner[];
  readonly logSigner = new Ed25519Signer(generateSeed());
  readonly heads = new HeadLedger();
  readonly #clock: Clock;

  constructor(
    scheme: SignatureScheme = "ed25519",
    size = 3,
    threshold = 2,
    clock: Clock = systemClock,
    beacons: BeaconRule = anyBeacons,
    idOf: (logKey: Bytes) => string = () => "test.example/log",
  ) {
    const id = idOf(this.logSigner.publicKey);
    this.#clock = clock;
    const memo = new RoundTreeMemo(portableKernels);
    const signers = Array.from(
      { length: size },
      (_, i) => schemeSigner(scheme, `${id}/w${i + 1}`),
    );
    this.signers = signers;
    this.network = {
      id,
      threshold,
      signature_scheme: scheme,
      witnesses: signers.map((signer, i) => configuredWitness(`${id}/w${i + 1}`, signer)),
      log_vkey: encodeVkey({
        name: id,
        type: NOTE_TYPE.ed25519,
        publicKey: this.logSigner.publicKey,
      }),
      merge_delay_seconds: 3600,
      federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
    };
    this.states = signers.map(() => new MemoryWitnessState());
    this.witnesses = signers.map((signer, i) => {
      const witness = new Witness({
        id: `${id}/w${i + 1}`,
        networkId: id,
        signer,
        logs: [followedLog(id, this.logSigner.publicKey)],
        state: this.states[i]!,
        clock,
        kernels: portableKernels,
        buildRoundTree: (round) => memo.build(round),
        beacons,
        vouching: {
          network: () => Promise.resolve(coreOf(this.network)),
          crypto: nativeCrypto,
        },
        report: () => {},
      });
      return new SwitchedWitness(new EmbeddedWitness(witness), this.heads);
    });
  }

  /** Starts a gateway over `store`; stores a fatal fault in `fatal`. */
  async start(
    store: LogStore,
    options: {
      maxAgeMs?: number;
      maxLeaves?: number;
      clock?: Clock;
      witnesses?: readonly WitnessClient[];
      beacons?: BeaconSource;
      anchors?: AnchorSource;
      spendsTokens?: boolean;
      acceptsBeforeWitnesses?: boolean;
      isTakeover?: boolean;
      isActive?: () => boolean;
      leaseFailure?: () => string | undefined;
      observer?: PipelineObserver;
      tracer?: Tracer;
      turn?: () => Promise<void>;
      verify?: Ed25519Verify;
      report?: Report;
    } = {},
  ): Promise<RunningGateway> {
    const memo = new RoundTreeMemo(portableKernels);
    const faults: unknown[] = [];
    const log = new LogLines();
    const gateway = await Gateway.start({
      network: this.network,
      store,
      witnesses: options.witnesses ?? this.witnesses,
      logSigner: this.logSigner,
      kernels: portableKernels,
      verify: options.verify ?? nativeCrypto.ed25519,
      bls: nativeCrypto.bls,
      buildTree: (round) => memo.build(round),
      clock: options.clock ?? this.#clock,
      policy: { maxAgeMs: options.maxAgeMs ?? 20, maxLeaves: options.maxLeaves ?? 16_384 },
      ...(options.beacons && { beacons: options.beacons }),
      ...(options.anchors && { anchors: options.anchors }),
      ...(options.spendsTokens && { spendsTokens: true }),
      ...(options.acceptsBeforeWitnesses && { acceptsBeforeWitnesses: true }),
      ...(options.isTakeover && { isTakeover: true }),
      ...(options.isActive && { isActive: options.isActive }),
      ...(options.leaseFailure && { leaseFailure: options.leaseFailure }),
      ...(options.observer && { observer: options.observer }),
      ...(options.tracer && { tracer: options.tracer }),
      ...(options.turn && { turn: options.turn }),
      onFatal: (error) => faults.push(error),
      report: (...line) => {
        log.report(...line);
        options.report?.(...line);
      },
    });
    return { gateway, faults, log };
  }
}

/** A gateway and its fatal faults. */
export interface RunningGateway {
  readonly gateway: Gateway;
  readonly faults: readonly unknown[];
  readonly log: LogLines;
}

/** A store in memory, of this network. */
export function memoryStore(): Promise<LogStore> {
  return openKvLogStore(":memory:", "test");
}

const random = new Random(SEED);

/** `count` packed digests that no earlier call of this test file got. */
export function randomDigests(count: number): Bytes {
  return random.digests(count);
}

/** Resolves when `condition` holds; rejects after `ms`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  ms = 200_000,
): Promise<void> {
  const deadline = Date.now() + ms;
  // More and more rarely: a condition may ask a server or start a program.
  for (let pauseMs = 5; !await condition(); pauseMs = Math.min(1.2 * pauseMs, 100)) {
    if (Date.now() > deadline) throw new Error("the condition did not come to hold");
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The hash, in hex, of an accepted sequence. */
export async function hashAt(gateway: Gateway, sequence: number): Promise<string> {
  const [accepted] = await gateway.eventLog.acceptances(sequence, sequence + 1);
  return accepted!.hash;
}
