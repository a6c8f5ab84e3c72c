/**
 * The state of the anchors: as a sequencer counts it, or as a front received it.
 *
 * @module
 */

import type { AnchorsState } from "./ports.ts";

/** The counts and the latest anchors, and its listeners. */
export class CurrentAnchors {
  #state: AnchorsState;
  readonly #listeners = new Set<() => void>();

  constructor(state: AnchorsState) {
    this.#state = state;
  }

  get state(): AnchorsState {
    return this.#state;
  }

  /** Replaces `members` of the state. */
  change(members: Partial<AnchorsState>): void {
    this.#state = { ...this.#state, ...members };
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after each change of the state, until `signal` aborts. */
  onChanged(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }
}

/** The anchoring as a sequencer reads it. */
export type AnchorsFeed = Pick<CurrentAnchors, "state" | "onChanged">;
