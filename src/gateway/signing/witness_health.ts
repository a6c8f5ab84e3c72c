/**
 * The health of witnesses by kind of work: rounds (`sign`), tree heads (`cosign`) and probes. A witness
 * is healthy while none of them fails. Each kind is judged by its own outcomes: a witness with a full
 * disk may sign rounds but cosign no tree head.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import type { ErrorCode } from "../../base/errors.ts";
import type { WitnessPurpose } from "../observer.ts";

/** A kind of work of a witness. */
export type WitnessWork = WitnessPurpose | "probe";

/** All kinds of work; the failure of an earlier one is the more telling. */
export const WITNESS_WORKS: readonly WitnessWork[] = ["probe", "cosign", "sign"];

export interface WitnessReport {
  readonly isHealthy: boolean;
  /** Unix seconds of its last good answer. */
  readonly lastSeenAt?: number;
  /** The kinds of work that fail at present and the code of the last failure of each, in order. */
  readonly failing: ReadonlyMap<WitnessWork, ErrorCode>;
}

/** A witness that does not do a kind of work at present. */
export interface MissingWitness {
  readonly witness: string;
  /** Absent before its first answer. */
  readonly error?: ErrorCode;
}

/**
 * Outcomes count for this time to twice this time. A kind of work fails while at least half of them
 * are failures, even if the last one succeeded.
 */
const WINDOW_MS = 5_000;

/**
 * A failure without a later outcome of its kind expires after this time. A gateway has a head cosigned
 * every ten minutes at least, but signs no round while it is idle.
 */
const FORGET_MS = 15 * 60_000;

/** Health of all witnesses of a pool, by witness index. */
export class WitnessHealthBook {
  readonly #ids: readonly string[];
  readonly #clock: Clock;
  readonly #works: readonly Map<WitnessWork, WorkRecord>[];
  readonly #seenAt: (number | undefined)[];
  /** Whether each witness has signed or cosigned since its last successful probe. */
  readonly #workedAt: ("not since the probe" | "before the failure" | "since the failure")[];

  constructor(ids: readonly string[], clock: Clock) {
    this.#ids = ids;
    this.#clock = clock;
    this.#works = ids.map(() => new Map());
    this.#seenAt = ids.map(() => undefined);
    this.#workedAt = ids.map(() => "not since the probe");
  }

  at(witnessIndex: number): WitnessReport {
    const lastSeenAt = this.#seenAt[witnessIndex];
    const failing = new Map<WitnessWork, ErrorCode>();
    for (const work of WITNESS_WORKS) {
      const error = this.#works[witnessIndex]!.get(work)?.failure(this.#clock.elapsedMs());
      if (error !== undefined) failing.set(work, error);
    }
    return {
      isHealthy: lastSeenAt !== undefined && failing.size === 0,
      ...(lastSeenAt !== undefined && { lastSeenAt }),
      failing,
    };
  }

  isFailing(witnessIndex: number, work: WitnessWork): boolean {
    return this.#works[witnessIndex]!.get(work)?.failure(this.#clock.elapsedMs()) !== undefined;
  }

  /**
   * The witnesses that do not do `work` at present. A failed probe counts until the witness signs or
   * cosigns; a first failure does not count if it has done so since the previous probe.
   */
  missing(work: WitnessPurpose): MissingWitness[] {
    return this.#ids.flatMap((witness, witnessIndex) => {
      const { lastSeenAt, failing } = this.at(witnessIndex);
      const hasWorked = this.#workedAt[witnessIndex] !== "not since the probe";
      const error = failing.get(work) ?? (hasWorked ? undefined : failing.get("probe"));
      if (error !== undefined) return [{ witness, error }];
      return lastSeenAt === undefined ? [{ witness }] : [];
    });
  }

  /** Whether the last outcome of `work` is a failure that has expired. */
  isForgotten(witnessIndex: number, work: WitnessWork): boolean {
    return this.#works[witnessIndex]!.get(work)?.isForgotten(this.#clock.elapsedMs()) ?? false;
  }

  /** Records a good answer. */
  succeeded(witnessIndex: number, work: WitnessWork): void {
    this.#seenAt[witnessIndex] = unixSeconds(this.#clock);
    if (work === "probe") this.#workedAt[witnessIndex] = "not since the probe";
    else {
      const isProbeFailing = this.isFailing(witnessIndex, "probe");
      this.#workedAt[witnessIndex] = isProbeFailing ? "since the failure" : "before the failure";
    }
    this.#record(witnessIndex, work).add(undefined, this.#clock.elapsedMs());
  }

  /** Records a wrong answer, a refusal or a timeout. */
  failed(witnessIndex: number, work: WitnessWork, error: ErrorCode): void {
    const isRepeated = work === "probe" && this.isFailing(witnessIndex, work);
    if (isRepeated && this.#workedAt[witnessIndex] === "before the failure") {
      this.#workedAt[witnessIndex] = "not since the probe";
    }
    this.#record(witnessIndex, work).add(error, this.#clock.elapsedMs());
  }

  #record(witnessIndex: number, work: WitnessWork): WorkRecord {
    const works = this.#works[witnessIndex]!;
    let record = works.get(work);
    if (record === undefined) works.set(work, record = new WorkRecord());
    return record;
  }
}

/** Outcomes since `startMs`. */
interface Outcomes {
  readonly startMs: number;
  good: number;
  bad: number;
}

/** The outcomes of one kind of work of one witness. */
class WorkRecord {
  #lastError: ErrorCode | undefined;
  #lastMs = 0;
  #isLastGood = true;
  #current: Outcomes = { startMs: 0, good: 0, bad: 0 };
  #previous: Outcomes = { startMs: 0, good: 0, bad: 0 };

  add(error: ErrorCode | undefined, nowMs: number): void {
    const ageMs = nowMs - this.#current.startMs;
    if (ageMs >= WINDOW_MS) {
      const empty = { startMs: nowMs, good: 0, bad: 0 };
      this.#previous = ageMs < 2 * WINDOW_MS ? this.#current : empty;
      this.#current = { ...empty };
    }
    this.#lastMs = nowMs;
    this.#isLastGood = error === undefined;
    if (error === undefined) return void this.#current.good++;
    this.#current.bad++;
    this.#lastError = error;
  }

  isForgotten(nowMs: number): boolean {
    return !this.#isLastGood && this.failure(nowMs) === undefined;
  }

  /** Why the work fails at present. */
  failure(nowMs: number): ErrorCode | undefined {
    const ageMs = nowMs - this.#lastMs;
    if (ageMs >= FORGET_MS) return undefined;
    if (!this.#isLastGood) return this.#lastError;
    if (ageMs >= 2 * WINDOW_MS) return undefined;
    const bad = this.#current.bad + this.#previous.bad;
    const good = this.#current.good + this.#previous.good;
    return bad >= good && bad > 0 ? this.#lastError : undefined;
  }
}
