/**
 * Signing as the jobs see it, in the sequencer and in a front that follows it.
 *
 * @module
 */

import type { FailingRound, SigningLoad, WaitingState } from "../fronts/ports.ts";

/** The load of signing, and the states of unsigned jobs. */
export interface SigningView {
  /** How long witnesses take for a round, in milliseconds. */
  readonly answerMs: number;
  /** Whether unsigned digests wait for witnesses that fail. */
  readonly isHeld: boolean;
  /** How many of the last durable digests have no round yet. */
  readonly unformedCount: number;
  /** The state of an unsigned sequence. One without a round waits for the rounds in flight. */
  stateOf(sequence: number): WaitingState;
}

/** {@linkcode SigningView} of a front. */
export class SigningReplica implements SigningView {
  #durable: number;
  #load: SigningLoad;
  #failing: readonly FailingRound[];

  /** As in a snapshot. */
  constructor(durable: number, load: SigningLoad, failing: readonly FailingRound[]) {
    this.#durable = durable;
    this.#load = load;
    this.#failing = failing;
  }

  /** Digests below `durable` are on disk. */
  accepted(durable: number, load: SigningLoad): void {
    this.#durable = durable;
    this.#load = load;
  }

  loadChanged(load: SigningLoad): void {
    this.#load = load;
  }

  failingChanged(failing: readonly FailingRound[], load: SigningLoad): void {
    this.#failing = failing;
    this.#load = load;
  }

  get answerMs(): number {
    return this.#load.answerMs;
  }

  get isHeld(): boolean {
    return this.#load.isHeld;
  }

  get unformedCount(): number {
    return this.#load.unformed;
  }

  stateOf(sequence: number): WaitingState {
    for (const { first, size, state } of this.#failing) {
      if (sequence >= first && sequence < first + size) return state;
    }
    // Its round is in its first attempt.
    if (sequence < this.#durable - this.#load.unformed) return { attempts: 1 };
    const [waited] = this.#failing;
    return waited === undefined ? { attempts: 0 } : { ...waited.state, attempts: 0 };
  }
}
