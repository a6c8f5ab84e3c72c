/**
 * The rounds that a witness signed beyond its cosigned head. No signature leaves before its round is
 * durable, so that after a crash the witness cannot sign two texts for one sequence.
 *
 * @module
 */

import type { Clock } from "../base/clock.ts";
import { CountersignError } from "../base/errors.ts";
import { SequenceConflict } from "../proof/format/witness_request.ts";
import type { Release, WitnessedRound, WitnessState } from "./ports.ts";
import { RoundMemory } from "./round_memory.ts";

/**
 * A round must begin less than this beyond the cosigned size, to bound memory (33 MiB) and disk. A
 * gateway that is further ahead waits for its next tree head.
 */
export const SEQUENCES_AHEAD = 2 ** 20;

/** Minimum time between failed reads of the state, which may be tens of MiB. */
const LOAD_RETRY_MS = 1_000;

const MAX_RELEASES = 100;

export class SignedRounds {
  readonly #state: WitnessState;
  readonly #clock: Clock;
  readonly #memory = new RoundMemory();
  #loaded: Promise<void> | undefined;
  /** Time of the last failed load. */
  #loadFailedAtMs: number | undefined;
  #releases: readonly Release[] = [];
  /** In memory and perhaps not durable, in order of arrival. */
  #unstored: WitnessedRound[] = [];
  #cosigned = 0;
  #isWriting = false;
  /** The write after the current one. It includes everything that is unstored when it begins. */
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
    // Absolute value: the clock may have been set back.
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

  /** The latest releases, oldest first, at most 100; empty before {@linkcode SignedRounds.load}. */
  releases(): readonly Release[] {
    return this.#releases;
  }

  /**
   * Whether the witness has signed this very round. Rejects with {@linkcode SequenceConflict} a round below the
   * cosigned size that was `read`, or with another digest than was signed for a sequence; with
   * `overloaded` one that begins {@linkcode SEQUENCES_AHEAD} or more beyond the cosigned size; with
   * `round_conflict` one that shares a sequence with a signed round of another text. Synchronous;
   * requires {@linkcode SignedRounds.load}.
   */
  check(round: WitnessedRound, read: number): boolean {
    const { first } = round;
    // Read before a later round moved it: what was signed below is forgotten.
    const cosigned = this.#cosigned = Math.max(this.#cosigned, read);
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
    const match = this.#memory.match(round);
    if (match === "other_hash") {
      throw new SequenceConflict(
        cosigned,
        "Cannot sign round: this witness has signed another hash for one of its sequences",
      );
    }
    if (match === "other_text") {
      throw new CountersignError(
        "round_conflict",
        "Cannot sign round: this witness has signed the same hashes with another time, beacon or size " +
          "of the round, and signs one text for a sequence",
      );
    }
    return match === "same";
  }

  /** The first `limit` of the signed rounds that end beyond `from`, ascending. Requires {@linkcode SignedRounds.load}. */
  roundsFrom(from: number, limit: number): WitnessedRound[] {
    return this.#memory.roundsFrom(from, limit);
  }

  /** One more than the largest signed sequence that is remembered. Requires {@linkcode SignedRounds.load}. */
  get end(): number {
    return this.#memory.end;
  }

  /**
   * Remembers a round that {@linkcode SignedRounds.check} found to be new at once, and resolves when it is
   * durable. After `storage_failed` it stays in memory, and the next call stores it. Rounds that arrive
   * during a write share the next write. Otherwise the write begins before this returns, so that the
   * caller can sign meanwhile.
   */
  add(round: WitnessedRound): Promise<void> {
    this.#memory.remember(round);
    this.#unstored.push(round);
    return this.flush();
  }

  /** Stores rounds that are in memory only, for example after a failed write; `storage_failed`. */
  flush(): Promise<void> {
    // A round that is not durable yet is still in the list, so a repeated one waits as well.
    if (this.#unstored.length === 0) return Promise.resolve();
    if (!this.#isWriting) return this.#write();
    this.#nextWrite ??= Promise.withResolvers();
    return this.#nextWrite.promise;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    const rounds = [...this.#unstored];
    try {
      if (rounds.length > 0) await this.#state.appendSigned(rounds, this.#cosigned);
      this.#unstored.splice(0, rounds.length);
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
    this.#releases = (await this.#state.loadReleases()).slice(-MAX_RELEASES);
    for (const round of await this.#state.loadSigned()) this.#memory.remember(round);
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
