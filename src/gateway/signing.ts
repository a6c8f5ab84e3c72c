/**
 * Signing: forms rounds of at most 512 from the durable unsigned range, puts each to all witnesses
 * at once, and hands the first set that meets the threshold to the committer. A stored round never
 * fails: it is put to them again, with a fresh time, until they answer.
 *
 * @module
 */

import { CountersignError, type ErrorCode, hasCode } from "../errors.ts";
import type { HashIndex } from "./hash_index.ts";
import type { PipelineObserver } from "./observer.ts";
import { RoundSigning, type RoundSigningContext, type SignedRound } from "./round_signing.ts";
import { type SequenceRange, UnformedRanges } from "./unformed_ranges.ts";
import type { Tracer } from "./tracer.ts";

const MAX_ROUNDS_IN_FLIGHT = 16;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
/** Between two attempts at a round that witnesses refused, while no other is tried. */
const REFUSED_DELAY_MS = 30_000;

/**
 * Which rounds are put to witnesses: `all`, `none`, or only those that a witness refused because it
 * signed other hashes. All witnesses have seen these rounds: another attempt reveals nothing new,
 * and its success shows that the witnesses agree again.
 */
export type SigningMode = "all" | "refused" | "none";

/** How a waiting job stands. */
export interface WaitingState {
  readonly attempts: number;
  /** Unix seconds; absent while an attempt is under way or due now. */
  readonly nextAttemptAt?: number;
  /** Of the last attempt, when that failed. */
  readonly lastError?: { readonly code: ErrorCode; readonly message: string };
}

interface OpenRound {
  readonly first: number;
  readonly size: number;
  attempts: number;
  isSigned: boolean;
  nextAttemptAt: number | undefined;
  lastError: WaitingState["lastError"];
}

/** What the signer works with. */
export interface SignerContext extends RoundSigningContext {
  readonly index: HashIndex;
  readonly observer: PipelineObserver;
  readonly tracer: Tracer;
  /** Takes a round whose signatures met the threshold. */
  readonly signed: (round: SignedRound) => void;
  /** A fault that no retry mends. */
  readonly failed: (error: unknown) => void;
}

/** The rounds in flight. Boundaries are fixed when a round is formed and kept by every retry. */
export class Signer {
  readonly #context: SignerContext;
  readonly #signing: RoundSigning;
  readonly #unformed: UnformedRanges;
  /** In flight, by first sequence. */
  readonly #open = new Map<number, OpenRound>();
  readonly #stop = new AbortController();
  /** Aborted and replaced when witnesses answer again, so that no round sleeps on. */
  #wake = new AbortController();
  #mode: SigningMode = "all";

  /** `unsigned` as {@linkcode UnformedRanges} takes it. */
  constructor(
    context: SignerContext,
    unsigned: { readonly gaps: readonly SequenceRange[]; readonly formed: number },
  ) {
    this.#context = context;
    this.#signing = new RoundSigning(context);
    this.#unformed = new UnformedRanges(unsigned);
  }

  /** Digests below `end` are durable: forms what rounds there is room for. */
  advance(end: number): void {
    this.#unformed.advance(end);
    this.#formRounds();
  }

  /** Rounds are formed in mode `all` only; digests that wait stay durable. */
  set mode(mode: SigningMode) {
    // The same mode again ends no round's wait for its next attempt.
    if (mode === this.#mode) return;
    this.#mode = mode;
    if (mode === "all") {
      this.#wakeAll();
      this.#formRounds();
    }
  }

  /** First sequence that is not signed, or `undefined` when all durable ones are. */
  get oldestUnsigned(): number | undefined {
    const oldest = Math.min(...this.#open.keys(), this.#unformed.start);
    return oldest === Infinity ? undefined : oldest;
  }

  /** How many durable sequences are not signed. */
  get unsignedCount(): number {
    let count = this.#unformed.count;
    for (const round of this.#open.values()) count += round.size;
    return count;
  }

  /** How many durable sequences no round holds yet. */
  get unformedCount(): number {
    return this.#unformed.tailCount;
  }

  /** How many durable sequences wait because witnesses did not answer, their own round or one before. */
  get retryableCount(): number {
    let count = 0;
    for (const { size, lastError } of this.#open.values()) {
      if (lastError !== undefined) count += size;
    }
    return count === 0 ? 0 : count + this.#unformed.count;
  }

  /** Rounds that are put to witnesses, or wait to be again. */
  get roundsInFlight(): number {
    return this.#open.size;
  }

  /** How long witnesses take over a round, in milliseconds: of the latest ones more than of others. */
  get answerMs(): number {
    return this.#signing.answerMs;
  }

  /** True while witnesses do not answer some round, and what waits, waits for them. */
  get isHeld(): boolean {
    if (this.#mode !== "all") return true;
    for (const round of this.#open.values()) if (round.lastError !== undefined) return true;
    return false;
  }

  /** How the unsigned `sequence` stands. One that no round holds yet waits for those in flight. */
  stateOf(sequence: number): WaitingState {
    let waited: OpenRound | undefined;
    for (const round of this.#open.values()) {
      if (sequence >= round.first && sequence < round.first + round.size) return stateOf(round);
      if (round.lastError !== undefined) waited ??= round;
    }
    return waited === undefined ? { attempts: 0 } : { ...stateOf(waited), attempts: 0 };
  }

  /** Cancels every attempt; unsigned rounds stay durable for the next start. */
  stop(): void {
    this.#stop.abort(new CountersignError("shutting_down", "Cannot sign: the gateway is stopping"));
    // And not replaced: a round that comes to its pause after this does not sleep.
    this.#wake.abort();
  }

  #formRounds(): void {
    const { signal } = this.#stop;
    while (this.#mode === "all" && !signal.aborted && this.#open.size < MAX_ROUNDS_IN_FLIGHT) {
      const range = this.#unformed.next();
      if (range === undefined) return;
      const round: OpenRound = {
        first: range.start,
        size: range.end - range.start,
        attempts: 0,
        isSigned: false,
        nextAttemptAt: undefined,
        lastError: undefined,
      };
      this.#open.set(round.first, round);
      this.#run(round).catch((error) => {
        if (!this.#stop.signal.aborted) this.#context.failed(error);
      });
    }
  }

  async #run(round: OpenRound): Promise<void> {
    const { clock, observer, tracer } = this.#context;
    const formedMs = clock.nowMs();
    const digests = await this.#context.index.digests(round.first, round.first + round.size);
    for (let delayMs = FIRST_DELAY_MS;; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      try {
        round.attempts++;
        round.nextAttemptAt = undefined;
        const { first, size, attempts } = round;
        const signed = await tracer.span(
          "round",
          { size, attempt: attempts },
          () => this.#signing.attempt(round, digests, this.#stop.signal),
          { start: first, end: first + size },
        );
        round.isSigned = true;
        this.#open.delete(round.first);
        this.#context.evidence.roundSigned(round.first);
        observer.roundSigned({ size, attempts, ms: clock.nowMs() - formedMs });
        this.#context.signed(signed);
        this.#wakeAll();
        this.#formRounds();
        return;
      } catch (error) {
        if (!hasCode(error, "threshold_not_met")) throw error;
        round.lastError = { code: error.code, message: error.message };
      }
      await this.#pause(round, delayMs);
      if (this.#stop.signal.aborted) return;
    }
  }

  async #pause(round: OpenRound, delayMs: number): Promise<void> {
    const { clock } = this.#context;
    do {
      const ms = this.#mode === "refused" ? REFUSED_DELAY_MS : delayMs;
      round.nextAttemptAt = Math.ceil((clock.nowMs() + ms) / 1000);
      await clock.sleep(ms, this.#wake.signal);
    } while (!this.#mayTry(round) && !this.#stop.signal.aborted);
  }

  #mayTry({ first }: OpenRound): boolean {
    return this.#mode === "all" ||
      this.#mode === "refused" && this.#context.evidence.isRefused(first);
  }

  #wakeAll(): void {
    const { signal } = this.#wake;
    // Nobody listens while all goes well: no controller is spent on it.
    for (const round of this.#open.values()) {
      if (round.nextAttemptAt === undefined || signal.aborted) continue;
      this.#wake.abort();
      this.#wake = new AbortController();
      return;
    }
  }
}

function stateOf(round: OpenRound): WaitingState {
  return {
    attempts: round.attempts,
    ...(round.nextAttemptAt !== undefined && { nextAttemptAt: round.nextAttemptAt }),
    ...(round.lastError !== undefined && { lastError: round.lastError }),
  };
}
