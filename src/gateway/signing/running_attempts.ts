/**
 * The attempts at rounds that are in progress. The committer waits for the end of a short one
 * ({@linkcode RunningAttempts.soonEnd}).
 *
 * @module
 */

import { type Clock, SLEEP_OVER } from "../../base/clock.ts";
import type { OpenRound } from "./open_round.ts";

/** The longest wait of {@linkcode RunningAttempts.soonEnd}. */
const PROMPT_MS = 5;

export class RunningAttempts {
  readonly #clock: Clock;
  /** When the attempt at each round began ({@linkcode Clock.elapsedMs}). */
  readonly #started = new Map<OpenRound, number>();
  /** Made by {@linkcode soonEnd}, and aborted when the next attempt ends. */
  #nextEnd: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(round: OpenRound): void {
    this.#started.set(round, this.#clock.elapsedMs());
  }

  end(round: OpenRound): void {
    this.#started.delete(round);
    this.#nextEnd?.abort(SLEEP_OVER);
    this.#nextEnd = undefined;
  }

  /**
   * Resolves when an attempt ends, or when the latest attempt has taken {@linkcode PROMPT_MS}. `undefined`
   * if no attempt is expected to end that soon. `answerMs` is how long an attempt takes; 0 when unknown.
   */
  soonEnd(answerMs: number): Promise<void> | undefined {
    if (this.#started.size === 0 || answerMs === 0 || answerMs > PROMPT_MS) return undefined;
    const leftMs = Math.max(...this.#started.values()) + PROMPT_MS - this.#clock.elapsedMs();
    if (leftMs <= 0) return undefined;
    this.#nextEnd ??= new AbortController();
    return this.#clock.sleep(Math.min(leftMs, PROMPT_MS), this.#nextEnd.signal);
  }
}
