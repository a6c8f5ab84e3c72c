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

/**
 * The state of an unsigned `sequence`; `formed` is as in `SigningLoad`. The attempts of a job never
 * decrease: a round is in `failing` until it is stored, and the rounds after a given-up one continue
 * its count.
 */
export function waitingState(
  sequence: number,
  failing: readonly FailingRound[],
  formed: number,
): WaitingState {
  // The latest round of a sequence is the last one.
  const own = failing.findLast(({ first, size }) => sequence >= first && sequence < first + size);
  if (own !== undefined) return own.state;
  // Its round is in its first attempt, or was signed by that.
  if (sequence < formed) return { attempts: 1 };
  const waited = failing.find(({ state }) => state.lastError !== undefined);
  return waited === undefined ? { attempts: 0 } : { ...waited.state, attempts: 0 };
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
    return Math.max(0, this.#durable - this.#load.formed);
  }

  stateOf(sequence: number): WaitingState {
    return waitingState(sequence, this.#failing, this.#load.formed);
  }
}
