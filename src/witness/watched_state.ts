/**
 * Watches a witness's state for failures, so that the witness can say that it cannot store what it
 * signs. Work finds most failures. A check finds the others, and only a check shows that they ended.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import type {
  DigestRun,
  Release,
  StateVersion,
  WitnessedHead,
  WitnessState,
  WitnessWarning,
} from "./ports.ts";

/** Minimum time between two warnings of failures. */
const WARNING_MS = 60_000;

interface Failure {
  readonly sinceMs: number;
  /** The latest. */
  error: CountersignError;
  isReported: boolean;
}

/** See the module. */
export class WatchedState implements WitnessState {
  readonly #state: WitnessState;
  readonly #clock: Clock;
  readonly #report: (warning: WitnessWarning) => void;
  #failure: Failure | undefined;
  #failures = 0;
  /** Failures when the last warning was reported, and when that was. */
  #reported: { readonly failures: number; readonly atMs: number } | undefined;

  constructor(
    state: WitnessState,
    context: { readonly clock: Clock; readonly report: (warning: WitnessWarning) => void },
  ) {
    this.#state = state;
    this.#clock = context.clock;
    this.#report = context.report;
  }

  /** The latest failure, `storage_failed`, until a check passes. */
  get failure(): CountersignError | undefined {
    return this.#failure?.error;
  }

  load(
    origin: string,
  ): Promise<(WitnessedHead & { readonly version: StateVersion }) | undefined> {
    return this.#watch("read the cosigned head", () => this.#state.load(origin));
  }

  replace(
    origin: string,
    expected: StateVersion | undefined,
    next: WitnessedHead,
  ): Promise<StateVersion | undefined> {
    return this.#watch(
      "store the cosigned head",
      () => this.#state.replace(origin, expected, next),
    );
  }

  loadSigned(): Promise<readonly DigestRun[]> {
    return this.#watch("read signed rounds", () => this.#state.loadSigned());
  }

  appendSigned(runs: readonly DigestRun[], cosigned: number): Promise<void> {
    return this.#watch("store signed rounds", () => this.#state.appendSigned(runs, cosigned));
  }

  loadReleases(): Promise<readonly Release[]> {
    return this.#watch("read releases", () => this.#state.loadReleases());
  }

  probe(): Promise<void> {
    return this.#watch("write to the disk", () => this.#state.probe());
  }

  /** Runs `check`. The failure ends if it passes and nothing failed meanwhile. */
  async check(check: () => Promise<void>): Promise<void> {
    const failures = this.#failures;
    await check();
    if (failures === this.#failures) this.#recovered();
  }

  /** The state failed to `verb`, because of `cause`. */
  failed(verb: string, cause: unknown): void {
    const nowMs = this.#clock.nowMs();
    const reason = cause instanceof Error ? cause.message : String(cause);
    const error = new CountersignError("storage_failed", `Cannot ${verb}: ${reason}`, { cause });
    this.#failure ??= { sinceMs: nowMs, error, isReported: false };
    this.#failure.error = error;
    this.#failures++;
    const last = this.#reported;
    // A state that fails and recovers in turn is reported once a minute as well.
    if (last !== undefined && Math.abs(nowMs - last.atMs) < WARNING_MS) return;
    const failures = this.#failures - (last?.failures ?? 0);
    this.#reported = { failures: this.#failures, atMs: nowMs };
    this.#failure.isReported = true;
    this.#report({ kind: "storage_failed", reason: error.message, failures });
  }

  #recovered(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure?.isReported !== true) return;
    const ms = Math.max(0, this.#clock.nowMs() - failure.sinceMs);
    this.#report({ kind: "storage_recovered", seconds: Math.round(ms / 1000) });
  }

  async #watch<T>(verb: string, operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (cause) {
      this.failed(verb, cause);
      throw cause;
    }
  }
}
