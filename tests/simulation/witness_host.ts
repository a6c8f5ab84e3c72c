/**
 * The machine of one witness: the real witness over a faulty disk and a network that loses, repeats
 * and delays messages. It can be down, restart, get an old copy of its state, and lie.
 *
 * @module
 */

import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { BeaconVerifier } from "../../src/proof/crypto/beacon_verifier.ts";
import { CountersignError, hasCode } from "../../src/base/errors.ts";
import { coreOf } from "../../src/proof/format/trust_core.ts";
import { NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import type { CosignRequest } from "../../src/proof/format/witness_request.ts";
import type { WitnessClient } from "../../src/gateway/ports.ts";
import { RoundTreeMemo } from "../../src/proof/merkle/round_tree.ts";
import { EmbeddedWitness } from "../../src/server/gateway/embedded_witness.ts";
import type { BeaconRule } from "../../src/witness/beacon_rule.ts";
import type { WitnessSigner } from "../../src/witness/ports.ts";
import { Witness } from "../../src/witness/witness.ts";
import { obliging } from "../gateway/faulty_witnesses.ts";
import { EMPTY_BACKUP, MemoryWitnessState, type StateBackup } from "../witness/memory_state.ts";
import { hashesOf } from "../gateway/checker.ts";
import { require } from "./fault.ts";
import type { GatewayProcess } from "./gateway_process.ts";
import type { LogMonitor } from "./log_monitor.ts";
import type { LedgerWitness } from "./signature_ledger.ts";
import { beaconVerifier, CHAIN, MAX_BEACON_AGE_SECONDS } from "./relays.ts";
import { answerAs, type Temper } from "./temper.ts";
import { MachineClock } from "./timeline.ts";
import type { World } from "./world.ts";
import { NO_EPOCHS } from "../gateway/wrapped_witness.ts";

/** One request, for the incarnation of the witness that runs when it arrives. */
export type Question<T> = (client: WitnessClient, signal: AbortSignal) => Promise<T>;

export class WitnessHost implements LedgerWitness {
  readonly id: string;
  readonly clock: MachineClock;
  readonly state: MemoryWitnessState;
  readonly #world: World;
  readonly #signer: WitnessSigner;
  readonly #backups: StateBackup[] = [];
  #client: WitnessClient;
  /** Number of starts. Requests to an earlier incarnation are never answered. */
  #incarnation = 0;
  temper: Temper = "honest";
  /** `silent` receives requests and answers none. */
  reach: "up" | "down" | "silent" = "up";
  /** All writes to its disk fail. */
  isDiskFull = false;
  /** True if it has always followed the rules of tree heads. */
  isHonest = true;
  /** True if it has ever reported a wrong size. */
  hasLiedOfSize = false;

  constructor(world: World, witnessIndex: number) {
    const { timeline, elements, ledger, network } = world;
    this.#world = world;
    this.id = network.witnesses[witnessIndex]!.id;
    this.clock = new MachineClock(timeline, this.id);
    this.#signer = ledger.watched(this, world.signers[witnessIndex]!);
    this.state = new MemoryWitnessState({
      // A probe stores nothing, and draws no random number, so that it does not change the run of a
      // seed.
      pass: (operation) =>
        operation === "probe"
          ? Promise.resolve()
          : timeline.after(elements.diskDelayMs(), `${this.id} ${operation}`),
      fault: (operation) => {
        if (operation !== "probe") return elements.stateFault(operation, this.isDiskFull);
        return this.isDiskFull ? "fail_not_stored" : undefined;
      },
      watch: (_origin, head) => ledger.store(this, head),
    });
    this.#client = this.#newClient();
  }

  /** The tree size in its state. */
  get size(): number {
    return this.state.sizeOf(this.#world.network.id);
  }

  /** Aborts its operations and drops its memory. */
  restart(): void {
    this.#incarnation++;
    this.state.endProcess();
    if (this.#world.sabotage.areWitnessesForgetful) this.state.restore(EMPTY_BACKUP);
    this.#client = this.#newClient();
  }

  /**
   * Releases the sequences from `from` on, or from its tree head if that is larger, and restarts
   * it.
   */
  async release(from = 0): Promise<void> {
    const start = Math.max(from, this.size);
    await this.state.release({ from: start, count: 0, timestamp: 0 });
    this.#world.rounds.release(this, start);
    this.restart();
  }

  /** True if it has signed a digest that differs from the log's at that sequence. */
  contradicts({ accepted }: LogMonitor): boolean {
    return this.state.signed.some(({ first, digests }) =>
      hashesOf(digests).some((hash, i) => accepted[first + i]?.hash !== hash)
    );
  }

  backUp(): void {
    this.#backups.push(this.state.backup());
  }

  /** Continues from an old copy of its state, which is forbidden; false if there is none. */
  restore(): boolean {
    const backup = this.#backups.shift();
    if (backup === undefined) return false;
    this.isHonest = false;
    this.state.restore(backup);
    this.restart();
    return true;
  }

  /** Signs any head from now on. */
  turn(): void {
    this.isHonest = false;
    this.temper = "equivocating";
  }

  /** The client that `process` uses. */
  clientOf(process: GatewayProcess): WitnessClient {
    return {
      id: this.id,
      sign: (request, signal) => {
        const copy = structuredClone(request);
        return this.#carry(process, "sign", (client, limit) => client.sign(copy, limit), signal);
      },
      cosign: (request, signal) => {
        const copy = structuredClone(request);
        this.#world.check(() => checkCommitted(process, copy));
        return this.#carry(
          process,
          "cosign",
          (client, limit) => client.cosign(copy, limit),
          signal,
        ).then((answer) => {
          if (answer.kind === "cosigned") process.cosigners.add(this.id);
          return answer;
        });
      },
      checkHealth: (signal) =>
        this.#carry(process, "health", (client, limit) => client.checkHealth(limit), signal),
      reach: (signal) =>
        this.#carry(process, "reach", (client, limit) => client.reach(limit), signal),
      roundsFrom: (from, signal) =>
        this.#carry(process, "rounds", (client, limit) => client.roundsFrom(from, limit), signal),
      epochs: NO_EPOCHS,
    };
  }

  #carry<T>(
    process: GatewayProcess,
    what: string,
    question: Question<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { elements, timeline } = this.#world;
    const name = `${process.name} ${this.id} ${what}`;
    return new Promise((resolve, reject) => {
      const isBegun = process.begin();
      if (!isBegun || signal.aborted) return isBegun && reject(unreachable(this.id));
      // The caller stops waiting, but the request may still be on its way.
      signal.addEventListener("abort", () => reject(unreachable(this.id)), { once: true });
      const { isAskLost, isAnswerLost, isRepeated } = elements.passage();
      const deliver = async (isAwaited: boolean) => {
        const settle = await this.#arrive(question, resolve, reject);
        if (settle === undefined || !isAwaited) return;
        await process.answered(`${this.id} ${what} answered`, elements.networkDelayMs());
        settle();
      };
      if (!isAskLost) {
        timeline.in(elements.networkDelayMs(), name, () => void deliver(!isAnswerLost));
      }
      if (isRepeated) {
        timeline.in(elements.networkDelayMs(), `${name} again`, () => void deliver(false));
      }
    });
  }

  /** Handles a request that arrived; `undefined` if it is never answered. */
  async #arrive<T>(
    question: Question<T>,
    resolve: (answer: T) => void,
    reject: (error: unknown) => void,
  ): Promise<(() => void) | undefined> {
    if (this.reach === "down") return () => reject(unreachable(this.id));
    if (this.reach === "silent") return undefined;
    const incarnation = this.#incarnation;
    // A witness does not learn that the caller is gone.
    const unlimited = new AbortController().signal;
    try {
      const answer = await question(this.#client, unlimited);
      return incarnation === this.#incarnation ? () => resolve(answer) : undefined;
    } catch (error) {
      return incarnation === this.#incarnation ? () => reject(error) : undefined;
    }
  }

  /** Every second witness requires beacons, so that some rounds wait for one. */
  #beaconRule(): BeaconRule {
    const { network, sabotage } = this.#world;
    if (sabotage.areWitnessesCredulous) {
      return { verifier: new BeaconVerifier({ verify: () => true }, CHAIN) };
    }
    const witnessIndex = network.witnesses.findIndex(({ id }) => id === this.id);
    return {
      verifier: beaconVerifier,
      ...(witnessIndex % 2 === 1 && { maxAgeSeconds: MAX_BEACON_AGE_SECONDS }),
    };
  }

  #newClient(): WitnessClient {
    const { network, logSigner, signers, random, sabotage } = this.#world;
    const own = obliging(this.id, this.#signer, () => {});
    const memo = new RoundTreeMemo(portableKernels);
    const witness = new Witness({
      id: this.id,
      networkId: network.id,
      signer: this.#signer,
      logs: [{
        origin: network.id,
        keys: [{ name: network.id, type: NOTE_TYPE.ed25519, publicKey: logSigner.publicKey }],
      }],
      state: this.state.ofProcess(),
      clock: this.clock,
      kernels: portableKernels,
      buildRoundTree: (round) => memo.build(round),
      beacons: this.#beaconRule(),
      vouching: {
        network: () => Promise.resolve(coreOf(network)),
        crypto: this.#world.crypto,
      },
      report: () => {},
    });
    const embedded = new EmbeddedWitness(witness);
    const honest: WitnessClient = {
      id: this.id,
      sign: async (request, signal) => {
        const signature = await embedded.sign(request, signal).catch((error) => {
          const isBlind = sabotage.areWitnessesTextBlind && hasCode(error, "round_conflict");
          if (isBlind) return own.sign(request, signal);
          throw error;
        });
        // Only the ledger would see it before a client does.
        if (sabotage.areWitnessesTextBlind) return signature;
        this.#world.rounds.sign(this, request);
        return signature;
      },
      cosign: (...args) => embedded.cosign(...args),
      checkHealth: (signal) => embedded.checkHealth(signal),
      reach: (signal) => embedded.reach(signal),
      roundsFrom: (...args) =>
        sabotage.areWitnessesTextBlind ? Promise.resolve([]) : embedded.roundsFrom(...args),
      epochs: NO_EPOCHS,
    };
    const others = signers.filter(({ publicKey }) => publicKey !== this.#signer.publicKey);
    return answerAs(honest, {
      random,
      scheme: network.signature_scheme,
      temper: () => this.temper,
      obliging: own,
      otherSigners: others,
      lied: () => this.hasLiedOfSize = true,
    });
  }
}

/** Requires a head to be on disk before a witness is asked to sign it. */
function checkCommitted({ log, name }: GatewayProcess, { treeHead }: CosignRequest): void {
  const { tree_size: size, root_hash } = treeHead;
  const head = log.head?.head;
  const isStored = size === 0 || head !== undefined &&
      (head.size > size || head.size === size && head.root.toHex() === root_hash);
  require(isStored, "order", `${name} has a head of ${size} cosigned that is on no disk`);
}

function unreachable(id: string): CountersignError {
  return new CountersignError(
    "witness_unreachable",
    `Cannot ask witness ${id}: an answer required`,
  );
}
