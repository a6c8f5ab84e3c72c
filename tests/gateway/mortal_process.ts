/**
 * A process that is killed between two awaits: its operations on the store and on witnesses are
 * counted together, and from the n-th on they are never answered, and sleeps never end.
 *
 * @module
 */

import type { Bytes } from "../../src/base/bytes.ts";
import type { Clock } from "../../src/base/clock.ts";
import type { CosignAnswer } from "../../src/proof/format/witness_request.ts";
import type { WitnessClient, WitnessEpochs } from "../../src/gateway/ports.ts";
import type { Fault, FaultHook } from "./memory_store.ts";

/** Whether the last operation is executed and only its answer is lost. */
export type Death = "hang_not_stored" | "hang_but_stored";

export class MortalProcess {
  readonly #lastOrdinal: number;
  readonly #death: Death;
  #operations = 0;

  /** Dies in operation `lastOrdinal`, from 1. */
  constructor(lastOrdinal = Infinity, death: Death = "hang_not_stored") {
    this.#lastOrdinal = lastOrdinal;
    this.#death = death;
  }

  /** Number of begun operations. */
  get operations(): number {
    return this.#operations;
  }

  get isDead(): boolean {
    return this.#operations >= this.#lastOrdinal;
  }

  /** For its store. */
  get fault(): FaultHook {
    return () => this.#step();
  }

  clock(clock: Clock): Clock {
    return {
      nowMs: () => clock.nowMs(),
      elapsedMs: () => clock.elapsedMs(),
      sleep: async (ms, signal) => {
        await clock.sleep(ms, signal);
        if (this.isDead) await forEver();
      },
    };
  }

  witnesses(witnesses: readonly WitnessClient[]): WitnessClient[] {
    return witnesses.map((witness) => ({
      id: witness.id,
      sign: (request, signal): Promise<Bytes> => this.#ask(() => witness.sign(request, signal)),
      cosign: (request, signal): Promise<CosignAnswer> =>
        this.#ask(() => witness.cosign(request, signal)),
      checkHealth: (signal) => witness.checkHealth(signal),
      reach: (signal) => this.#ask(() => witness.reach(signal)),
      roundsFrom: (...args) => this.#ask(() => witness.roundsFrom(...args)),
      epochs: this.#epochs(witness.epochs),
    }));
  }

  #epochs(epochs: WitnessEpochs): WitnessEpochs {
    return {
      state: (signal) => this.#ask(() => epochs.state(signal)),
      end: (request, signal) => this.#ask(() => epochs.end(request, signal)),
      begin: (request, signal) => this.#ask(() => epochs.begin(request, signal)),
    };
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    const fault = this.#step();
    if (fault === "hang_not_stored") return await forEver();
    const answer = await ask();
    return fault === undefined ? answer : await forEver();
  }

  #step(): Fault | undefined {
    const ordinal = ++this.#operations;
    if (ordinal < this.#lastOrdinal) return undefined;
    return ordinal === this.#lastOrdinal ? this.#death : "hang_not_stored";
  }
}

function forEver<T>(): Promise<T> {
  return new Promise(() => {});
}
