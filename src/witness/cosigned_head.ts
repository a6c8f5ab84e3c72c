/**
 * The latest cosigned head of one origin, cached in memory. The store decides.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import type { StateVersion, WitnessedHead, WitnessedLog, WitnessState } from "./ports.ts";

/** The stored head. If none was ever cosigned, the one where the log starts, or no members. */
export interface CurrentHead {
  readonly head?: WitnessedHead;
  readonly version?: StateVersion;
}

/**
 * One origin's row of a {@linkcode WitnessState}. The cached row may be out of date. That is harmless:
 * before anything is signed, the store compares the version that the decision used, in a swap
 * ({@linkcode CosignedHead.replace}) or a read ({@linkcode CosignedHead.confirm}).
 */
export class CosignedHead {
  readonly #state: WitnessState;
  readonly #origin: string;
  readonly #start: WitnessedLog["start"];
  // The last known row, or a load in progress; undefined when it has to be read.
  #current: Promise<CurrentHead> | undefined;

  constructor(state: WitnessState, { origin, start }: Pick<WitnessedLog, "origin" | "start">) {
    this.#state = state;
    this.#origin = origin;
    this.#start = start;
  }

  /** The row. After `storage_failed`, the next call reads again. */
  read(): Promise<CurrentHead> {
    this.#current ??= this.#load();
    return this.#current;
  }

  /**
   * Replaces `current` with `next`. False when the row has changed. After `storage_failed` the row may
   * be either, and is read before the next decision.
   */
  async replace(current: CurrentHead, next: WitnessedHead): Promise<boolean> {
    let version;
    try {
      version = await this.#state.replace(this.#origin, current.version, next);
    } catch (cause) {
      this.#current = undefined;
      throw storageFailed("store", cause);
    }
    this.#current = version === undefined ? undefined : Promise.resolve({ head: next, version });
    return version !== undefined;
  }

  /**
   * Whether the row still is `current`, without a write. If so, memory keeps the time and the checkpoint
   * of `latest`, a cosignature over the same tree. `storage_failed`.
   */
  async confirm(current: CurrentHead, latest: WitnessedHead): Promise<boolean> {
    const found = await this.#load();
    const isSame = found.head !== undefined && found.version === current.version;
    this.#current = Promise.resolve(
      isSame ? { ...found, head: { ...found.head, ...latest } } : found,
    );
    return isSame;
  }

  async #load(): Promise<CurrentHead> {
    try {
      const row = await this.#state.load(this.#origin);
      if (row === undefined) {
        return this.#start === undefined ? {} : { head: { ...this.#start, timestamp: 0 } };
      }
      const { version, ...head } = row;
      return { head, version };
    } catch (cause) {
      this.#current = undefined;
      throw storageFailed("read", cause);
    }
  }
}

function storageFailed(verb: string, cause: unknown): CountersignError {
  return new CountersignError(
    "storage_failed",
    `Cannot ${verb} the cosigned head: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );
}
