/**
 * Latency and failure rate of disks and networks over a period.
 *
 * @module
 */

import type { Fault, OperationKind } from "../gateway/memory_store.ts";
import type { ReplaceFault, StateOperation } from "../witness/memory_state.ts";
import type { Random } from "../random.ts";

/** `calm` never fails; in a `storm` most operations fail. */
export type Weather = "calm" | "rough" | "storm";

/** The network's treatment of one request. */
export interface Passage {
  readonly isAskLost: boolean;
  readonly isAnswerLost: boolean;
  /** The request arrives twice; the second answer is dropped. */
  readonly isRepeated: boolean;
}

/** Longer than any request takes to arrive. */
export const LONGEST_DELAY_MS = 8_000;

const FAILURES: Readonly<Record<Weather, number>> = { calm: 0, rough: 0.08, storm: 0.6 };

/** Fails like a commit can fail. */
const COMMIT_FAULTS = {
  fail_not_stored: 4,
  fail_but_stored: 4,
  fail_stored_later: 2,
  conflict: 1,
} as const;
const REPLACE_FAULTS = { fail_not_stored: 2, fail_but_stored: 2, fail_stored_later: 1 } as const;

export class Elements {
  readonly #random: Random;
  disk: Weather = "calm";
  network: Weather = "calm";
  /** The disk of the gateways' machine is full: no write succeeds. */
  isFull = false;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Latency of a disk operation in milliseconds, one way. */
  diskDelayMs(): number {
    const random = this.#random;
    if (this.disk === "calm") return random.below(4);
    return random.chance(0.05) ? random.below(1_500) : random.below(30);
  }

  /** Latency of a message in milliseconds. */
  networkDelayMs(): number {
    const random = this.#random;
    if (this.network === "calm") return 1 + random.below(5);
    return random.chance(0.08) ? random.below(LONGEST_DELAY_MS) : random.below(80);
  }

  storeFault(operation: OperationKind): Fault | undefined {
    if (this.isFull && operation !== "read") return "fail_not_stored";
    // Rarer, because a failed read ends a loop of the gateway, and thus the process.
    const rarity = operation === "read" ? 0.02 : 1;
    if (!this.#random.chance(FAILURES[this.disk] * rarity)) return undefined;
    if (operation === "read") return "fail_not_stored";
    if (operation === "fence") return this.#random.pick(["fail_not_stored", "fail_but_stored"]);
    return this.#random.weighted(COMMIT_FAULTS);
  }

  /** `isFull` if the disk of the witness is full. */
  stateFault(operation: StateOperation, isFull: boolean): ReplaceFault | undefined {
    const isWrite = operation === "replace" || operation === "appendSigned";
    if (isFull && isWrite) return "fail_not_stored";
    if (!this.#random.chance(FAILURES[this.disk] / 2)) return undefined;
    return operation === "load" ? "fail_not_stored" : this.#random.weighted(REPLACE_FAULTS);
  }

  passage(): Passage {
    const loss = FAILURES[this.network] / 2;
    return {
      isAskLost: this.#random.chance(loss),
      isAnswerLost: this.#random.chance(loss),
      isRepeated: this.#random.chance(loss / 2),
    };
  }
}
