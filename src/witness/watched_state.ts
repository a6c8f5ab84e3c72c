/**
 * Records failures of a witness's state, so that the witness can report them. Requests detect most
 * failures. Periodic checks detect the others, and only a check ends a failure.
 *
 * @module
 */

import type { Clock } from "../base/clock.ts";
import { CountersignError } from "../base/errors.ts";
import type {
  Release,
  StateVersion,
  WitnessedHead,
  WitnessedRound,
  WitnessState,
  WitnessWarning,
} from "./ports.ts";

/** Minimum time between two warnings of failures. */
const WARNING_MS = 60_000;

interface Failure {
  readonly sinceMs: number;
  error: CountersignError;
  isReported: boolean;
}

export class WatchedState implements WitnessState {
  readonly #state: WitnessState;
  readonly #clock: Clock;
  readonly #report: (warning: WitnessWarning) => void;
  #failure: Failure | undefined;
  #failures = 0;
  #isClosed = false;
  /** The number of failures at the last warning, and its time. */
  #reported: { readonly failures: number; readonly atMs: number } | undefined;

  constructor(
    state: WitnessState,
    context: { readonly clock: Clock; readonly report: (warning: WitnessWarning) => void },
  ) {
    this.#state = state;
    this.#clock = context.clock;
    this.#report = context.report;
  }

  /** The latest failure, `storage_failed`; `undefined` after a check that passed. */
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

  loadSigned(): Promise<readonly WitnessedRound[]> {
    return this.#watch("read signed rounds", () => this.#state.loadSigned());
  }

  appendSigned(rounds: readonly WitnessedRound[], cosigned: number): Promise<void> {
    return this.#watch("store signed rounds", () => this.#state.appendSigned(rounds, cosigned));
  }

  loadReleases(): Promise<readonly Release[]> {
    return this.#watch("read releases", () => this.#state.loadReleases());
  }

  probe(): Promise<void> {
    return this.#watch("write to the disk", () => this.#state.probe());
  }

  /** Runs `check`. If it passes, and no other operation failed meanwhile, the failure ends. */
  async check(check: () => Promise<void>): Promise<void> {
    const failures = this.#failures;
    await check();
    if (failures === this.#failures) this.#recovered();
  }

  /** No warning follows: whatever is asked of a closed state fails. */
  close(): void {
    this.#isClosed = true;
  }

  /** Records that the witness could not `verb`. */
  failed(verb: string, cause: unknown): void {
    const nowMs = this.#clock.elapsedMs();
    const reason = cause instanceof Error ? cause.message : String(cause);
    const error = new CountersignError("storage_failed", `Cannot ${verb}: ${reason}`, { cause });
    this.#failure ??= { sinceMs: nowMs, error, isReported: false };
    this.#failure.error = error;
    this.#failures++;
    const last = this.#reported;
    if (this.#isClosed) return;
    // At most once a minute, also when the state fails and recovers repeatedly.
    if (last !== undefined && nowMs - last.atMs < WARNING_MS) return;
    const failures = this.#failures - (last?.failures ?? 0);
    this.#reported = { failures: this.#failures, atMs: nowMs };
    this.#failure.isReported = true;
    this.#report({ kind: "storage_failed", reason: error.message, failures });
  }

  #recovered(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure?.isReported !== true) return;
    const ms = this.#clock.elapsedMs() - failure.sinceMs;
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
