/**
 * The machine of one witness: its real rules over a state on a disk that fails, behind a network
 * that loses, repeats and delays. It may be down, start again, be given an old copy of its state,
 * and, while its temper is bad, lie.
 *
 * @module
 */

import { portableKernels } from "../../src/crypto/portable_kernels.ts";
import { BeaconVerifier } from "../../src/crypto/beacon_verifier.ts";
import { CountersignError } from "../../src/errors.ts";
import type { CosignRequest, WitnessClient } from "../../src/gateway/ports.ts";
import { RoundTreeMemo } from "../../src/merkle/round_tree.ts";
import { EmbeddedWitness } from "../../src/transport/embedded_witness.ts";
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

/** One question, before it is known which of the witness's incarnations it meets. */
export type Question<T> = (client: WitnessClient, signal: AbortSignal) => Promise<T>;

export class WitnessHost implements LedgerWitness {
  readonly id: string;
  readonly clock: MachineClock;
  readonly state: MemoryWitnessState;
  readonly #world: World;
  readonly #signer: WitnessSigner;
  readonly #backups: StateBackup[] = [];
  #client: WitnessClient;
  /** Counts its starts: what an earlier one was asked is never answered. */
  #incarnation = 0;
  temper: Temper = "honest";
  /** `silent` takes questions and answers none. */
  reach: "up" | "down" | "silent" = "up";
  /** Its disk takes no write. */
  isDiskFull = false;
  /** Whether it has kept every rule of tree heads since the beginning. */
  isHonest = true;
  /** Whether it has ever said that it stands where it does not. */
  hasLiedOfSize = false;

  constructor(world: World, witnessIndex: number) {
    const { timeline, elements, ledger, network } = world;
    this.#world = world;
    this.id = network.witnesses[witnessIndex]!.id;
    this.clock = new MachineClock(timeline, this.id);
    this.#signer = ledger.watched(this, world.signers[witnessIndex]!);
    this.state = new MemoryWitnessState({
      // A probe stores nothing. It draws nothing, so that it leaves the course of a seed as it was.
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

  /** The size that its state holds. */
  get size(): number {
    return this.state.sizeOf(this.#world.network.id);
  }

  /** Ends what it is at, and forgets what it kept in memory. */
  restart(): void {
    this.#incarnation++;
    if (this.#world.sabotage.areWitnessesForgetful) this.state.restore(EMPTY_BACKUP);
    this.#client = this.#newClient();
  }

  /**
   * Its operator frees the sequences from `from` on, or from its tree head where that is larger, and
   * starts it again.
   */
  async release(from = 0): Promise<void> {
    const start = Math.max(from, this.size);
    await this.state.release({ from: start, count: 0, timestamp: 0 });
    this.#world.rounds.release(this, start);
    this.restart();
  }

  /** Whether it has signed a digest that a log does not hold there. */
  contradicts({ accepted }: LogMonitor): boolean {
    return this.state.signed.some(({ first, digests }) =>
      hashesOf(digests).some((hash, i) => accepted[first + i]?.hash !== hash)
    );
  }

  backUp(): void {
    this.#backups.push(this.state.backup());
  }

  /** Goes on from an old copy of its state, as none may; false when there is none. */
  restore(): boolean {
    const backup = this.#backups.shift();
    if (backup === undefined) return false;
    this.isHonest = false;
    this.state.restore(backup);
    this.restart();
    return true;
  }

  /** From here on it signs any head. */
  turn(): void {
    this.isHonest = false;
    this.temper = "equivocating";
  }

  /** How `process` asks it. */
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
      // Who asks over a network asks no more; the question may be on its way still.
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

  /** Puts a question that arrived; what answers it, or `undefined` when nothing does. */
  async #arrive<T>(
    question: Question<T>,
    resolve: (answer: T) => void,
    reject: (error: unknown) => void,
  ): Promise<(() => void) | undefined> {
    if (this.reach === "down") return () => reject(unreachable(this.id));
    if (this.reach === "silent") return undefined;
    const incarnation = this.#incarnation;
    // A witness never learns that whoever asked has gone.
    const unlimited = new AbortController().signal;
    try {
      const answer = await question(this.#client, unlimited);
      return incarnation === this.#incarnation ? () => resolve(answer) : undefined;
    } catch (error) {
      return incarnation === this.#incarnation ? () => reject(error) : undefined;
    }
  }

  /** Every second witness demands beacons, so that some rounds wait for one and some do not. */
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
    const { network, logSigner, signers, random } = this.#world;
    const memo = new RoundTreeMemo(portableKernels);
    const witness = new Witness({
      id: this.id,
      networkId: network.id,
      signer: this.#signer,
      logs: [{ origin: network.id, publicKey: logSigner.publicKey }],
      state: this.state,
      clock: this.clock,
      kernels: portableKernels,
      buildRoundTree: (round) => memo.build(round),
      beacons: this.#beaconRule(),
      report: () => {},
    });
    const embedded = new EmbeddedWitness(witness);
    const honest: WitnessClient = {
      id: this.id,
      sign: async (request, signal) => {
        const signature = await embedded.sign(request, signal);
        this.#world.rounds.sign(this, request);
        return signature;
      },
      cosign: (...args) => embedded.cosign(...args),
      checkHealth: (signal) => embedded.checkHealth(signal),
    };
    const others = signers.filter(({ publicKey }) => publicKey !== this.#signer.publicKey);
    return answerAs(honest, {
      random,
      scheme: network.signature_scheme,
      temper: () => this.temper,
      obliging: obliging(this.id, this.#signer, () => {}),
      otherSigners: others,
      lied: () => this.hasLiedOfSize = true,
    });
  }
}

/** A head is on disk before anyone is asked to sign it. */
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
