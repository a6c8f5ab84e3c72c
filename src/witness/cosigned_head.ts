/**
 * The latest cosigned head of one origin: the store decides, and memory spares reading it.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { StateVersion, WitnessedHead, WitnessState } from "./ports.ts";

/** A head as it stands in the store; neither member when the origin was never cosigned. */
export interface StandingHead {
  readonly head?: WitnessedHead;
  readonly version?: StateVersion;
}

/**
 * One origin's row of a {@linkcode WitnessState}. What is kept in memory may be out of date. That is
 * harmless, because the store compares the version that a decision was made on before anything is
 * signed: {@linkcode CosignedHead.replace} with a swap, {@linkcode CosignedHead.confirm} with a read.
 */
export class CosignedHead {
  readonly #state: WitnessState;
  readonly #origin: string;
  // The last known row, or the load that is under way; undefined when it has to be read.
  #standing: Promise<StandingHead> | undefined;

  constructor(state: WitnessState, origin: string) {
    this.#state = state;
    this.#origin = origin;
  }

  /** The row. `storage_failed` when it cannot be read: the next call tries again. */
  read(): Promise<StandingHead> {
    this.#standing ??= this.#load();
    return this.#standing;
  }

  /**
   * Puts `next` in place of `standing`. False when the row is another by now. `storage_failed` when
   * the store does not say; then the row may be either, and is read before the next decision.
   */
  async replace(standing: StandingHead, next: WitnessedHead): Promise<boolean> {
    let version;
    try {
      version = await this.#state.replace(this.#origin, standing.version, next);
    } catch (cause) {
      this.#standing = undefined;
      throw storageFailed("store", cause);
    }
    this.#standing = version === undefined ? undefined : Promise.resolve({ head: next, version });
    return version !== undefined;
  }

  /**
   * Whether the row still is `standing`, without a write; `timestamp` is then kept in memory as the
   * time of the latest cosignature. `storage_failed`.
   */
  async confirm(standing: StandingHead, timestamp: number): Promise<boolean> {
    const found = await this.#load();
    const isSame = found.head !== undefined && found.version === standing.version;
    this.#standing = Promise.resolve(
      isSame ? { ...found, head: { ...found.head, timestamp } } : found,
    );
    return isSame;
  }

  async #load(): Promise<StandingHead> {
    try {
      const row = await this.#state.load(this.#origin);
      if (row === undefined) return {};
      const { version, ...head } = row;
      return { head, version };
    } catch (cause) {
      this.#standing = undefined;
      throw storageFailed("read", cause);
    }
  }
}

function storageFailed(verb: string, cause: unknown): CountersignError {
  return new CountersignError(
    "storage_failed",
    `Cannot ${verb} the cosigned head: a working store required, ` +
      `found "${cause instanceof Error ? cause.message : String(cause)}"`,
    { cause },
  );
}
