/**
 * The digests that a witness signed beyond its cosigned head, by sequence. No signature leaves before
 * its digests are durable, so that no crash lets the witness sign two digests for one sequence.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Clock } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import type { DigestRun, Release, WitnessState } from "./ports.ts";
import { SequenceConflict } from "../format/sequence_conflict.ts";
import { SequenceMemory } from "./sequence_memory.ts";

/**
 * A round must begin less than this beyond the cosigned size. It bounds the memory (33 MiB) and the
 * disk. A gateway that is further ahead waits for its next tree head.
 */
export const SEQUENCES_AHEAD = 2 ** 20;

/** At least this long between two reads of a state that cannot be read: it may be tens of MiB. */
const LOAD_RETRY_MS = 1_000;

/** {@linkcode SignedRounds.releases} returns at most this many. */
const RELEASES_KEPT = 100;

/** See the module. */
export class SignedRounds {
  readonly #state: WitnessState;
  readonly #clock: Clock;
  readonly #memory = new SequenceMemory();
  #loaded: Promise<void> | undefined;
  /** When the last load failed. */
  #loadFailedAtMs: number | undefined;
  #releases: readonly Release[] = [];
  /** Remembered and perhaps not durable, in order of arrival. */
  #unstored: DigestRun[] = [];
  #cosigned = 0;
  #isWriting = false;
  /** The write after the one under way. It takes everything that is unstored when it begins. */
  #nextWrite: PromiseWithResolvers<void> | undefined;

  constructor(state: WitnessState, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
  }

  /**
   * Reads the state, once. After `storage_failed` or `store_corrupt`, calls reject with the same error
   * for {@linkcode LOAD_RETRY_MS}; the next call then tries again.
   */
  load(): Promise<void> {
    const failedAtMs = this.#loadFailedAtMs;
    // The absolute value, in case the clock was set back.
    if (
      failedAtMs !== undefined && Math.abs(this.#clock.nowMs() - failedAtMs) >= LOAD_RETRY_MS
    ) {
      this.#loadFailedAtMs = undefined;
      this.#loaded = undefined;
    }
    this.#loaded ??= this.#load().catch((cause) => {
      this.#loadFailedAtMs = this.#clock.nowMs();
      throw storageFailed("read", cause);
    });
    return this.#loaded;
  }

  /** The latest releases, oldest first, from memory; empty before {@linkcode SignedRounds.load}. */
  releases(): readonly Release[] {
    return this.#releases;
  }

  /**
   * Refuses a round below the cosigned size or with another digest than a sequence was signed for:
   * {@linkcode SequenceConflict}. Refuses one that begins {@linkcode SEQUENCES_AHEAD} or more beyond
   * the cosigned size: `overloaded`. Synchronous; after {@linkcode SignedRounds.load}.
   */
  check(first: number, digests: Bytes, cosigned: number): void {
    if (first < cosigned) {
      throw new SequenceConflict(
        cosigned,
        `Cannot sign round: it begins at sequence ${first}, below the cosigned size ${cosigned}`,
      );
    }
    if (first - cosigned >= SEQUENCES_AHEAD) {
      throw new CountersignError(
        "overloaded",
        `Cannot sign round: sequence ${first} is ${SEQUENCES_AHEAD} or more beyond the cosigned ` +
          `size ${cosigned}; cosign a larger tree head first`,
      );
    }
    this.#memory.advance(cosigned);
    if (this.#memory.contradicts(first, digests)) {
      throw new SequenceConflict(
        cosigned,
        "Cannot sign round: this witness has signed another hash for one of its sequences",
      );
    }
  }

  /**
   * Remembers packed `digests` at once, and resolves when they are durable. `storage_failed`: they
   * stay remembered, and the next call stores them. Rounds that arrive during a write share the next.
   * Without one the write begins before this returns, so that the disk works while the caller signs.
   */
  keep(first: number, digests: Bytes, cosigned: number): Promise<void> {
    // Concurrent rounds may have read the size in another order.
    this.#cosigned = Math.max(this.#cosigned, cosigned);
    this.#unstored.push(...this.#memory.remember(first, digests));
    return this.flush();
  }

  /** Stores digests that are in memory only, for example after a failed write; `storage_failed`. */
  flush(): Promise<void> {
    // A digest that is remembered and not durable is still in the list: its round waits as well.
    if (this.#unstored.length === 0) return Promise.resolve();
    if (!this.#isWriting) return this.#write();
    this.#nextWrite ??= Promise.withResolvers();
    return this.#nextWrite.promise;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    const runs = [...this.#unstored];
    try {
      if (runs.length > 0) await this.#state.appendSigned(runs, this.#cosigned);
      this.#unstored.splice(0, runs.length);
    } catch (cause) {
      throw storageFailed("store", cause);
    } finally {
      this.#isWriting = false;
      const next = this.#nextWrite;
      this.#nextWrite = undefined;
      next?.resolve(this.#write());
    }
  }

  async #load(): Promise<void> {
    // Releases are recorded only while the witness is stopped.
    this.#releases = (await this.#state.loadReleases()).slice(-RELEASES_KEPT);
    for (const { first, digests } of await this.#state.loadSigned()) {
      this.#memory.remember(first, digests);
    }
  }
}

function storageFailed(verb: string, cause: unknown): CountersignError {
  if (cause instanceof CountersignError && cause.code !== "file_failed") return cause;
  return new CountersignError(
    "storage_failed",
    `Cannot ${verb} signed rounds: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );
}
