/**
 * What a front does while it has no link to a sequencer.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { Health } from "../gateway/fronts/ports.ts";

const UNLINKED_MESSAGE =
  "This front has no link to the gateway that takes hashes; retry in some seconds";

/** The health of a front without a link. Signing may go on, so that held answers stay held. */
export const UNLINKED: Health = {
  status: "standby",
  refusal: { code: "standby", message: UNLINKED_MESSAGE },
  isSigning: true,
  unacknowledged: "none",
};

export function linkLost(): CountersignError {
  return new CountersignError("standby", UNLINKED_MESSAGE);
}

export function linkClosed(): CountersignError {
  return new CountersignError("shutting_down", "The front is shutting down");
}

/** The gateway takes no digests, but another one will. */
export function isPassing(status: string): boolean {
  return status === "shutting_down" || status === "standby";
}

/**
 * Ends the thread if `apply` throws, even if a caller catches the error: a front must not answer after it
 * has applied only a part of an update.
 */
export function applied(apply: () => void): void {
  try {
    apply();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
    throw error;
  }
}

/** Requests on which clients wait. */
export class HeldWork {
  readonly #held = new Set<{ readonly untilMs: number; readonly lost: () => void }>();
  readonly #elapsedMs: () => number;

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /**
   * The result of `work`; `standby` if the link is lost, not before `seconds` have passed since the call.
   */
  hold<T>(work: Promise<T>, seconds: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const entry = {
        untilMs: this.#elapsedMs() + 1_000 * seconds,
        lost: () => reject(linkLost()),
      };
      this.#held.add(entry);
      work.then(resolve, reject).finally(() => this.#held.delete(entry));
    });
  }

  /** Ends what has waited for long enough. Call several times a second without a link. */
  review(): void {
    const nowMs = this.#elapsedMs();
    for (const { untilMs, lost } of [...this.#held]) if (nowMs >= untilMs) lost();
  }
}
