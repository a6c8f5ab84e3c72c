/**
 * Signing: forms rounds of at most 512 digests from the durable unsigned range, sends each to all
 * witnesses, and passes the first set that meets the threshold to the committer. A round that misses the
 * threshold is sent again. If too many witnesses signed other texts of its sequences, it is given up, and
 * the rounds that they signed are sent instead.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { unixSeconds } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import type { FailingRound, WaitingState } from "../fronts/ports.ts";
import type { PipelineObserver } from "../observer.ts";
import { Adoption, type AdoptionContext } from "./adoption.ts";
import { EndedRounds } from "./ended_rounds.ts";
import { hasFailed, isFailing, type OpenRound, openRound, stateOf } from "./open_round.ts";
import { RunningAttempts } from "./running_attempts.ts";
import { RoundSigning, type RoundSigningContext, type SignedRound } from "./round_signing.ts";
import { type SigningView, waitingState } from "./signing_view.ts";
import type { Tracer } from "../tracer.ts";
import { type SequenceRange, UnformedRanges } from "./unformed_ranges.ts";

/** Rounds in flight, except those that are stuck. */
const MAX_ROUNDS_IN_FLIGHT = 16;
/** With those that are stuck: bounds memory, to 16 KiB for each, and requests. */
const MAX_OPEN_ROUNDS = 256;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
/** Pause between attempts at refused rounds while no other round is signed. */
const REFUSED_DELAY_MS = 30_000;

/**
 * Which rounds are sent to witnesses: `all`, `none`, or only those that a witness refused because it
 * signed other hashes. Witnesses have seen these rounds, so another attempt reveals nothing new, and its
 * success shows that the witnesses agree again.
 */
export type SigningMode = "all" | "refused" | "none";

export interface SignerContext extends RoundSigningContext, AdoptionContext {
  readonly observer: PipelineObserver;
  readonly tracer: Tracer;
  /** Called with a round whose signatures met the threshold. */
  readonly signed: (round: SignedRound) => void;
  /** Called when {@linkcode Signer.failing} has changed. */
  readonly failingChanged: () => void;
  /** Called after a fault that no retry fixes. */
  readonly failed: (error: unknown) => void;
}

/**
 * The rounds in flight. A retry keeps the boundaries of its round. It keeps the text too, as long as the
 * witnesses can still sign it.
 */
export class Signer implements SigningView {
  readonly #context: SignerContext;
  readonly #signing: RoundSigning;
  readonly #unformed: UnformedRanges;
  /** Rounds in flight, by first sequence. */
  readonly #open = new Map<number, OpenRound>();
  readonly #ended = new EndedRounds();
  /** Sequence after the last digest that was ever in a round. */
  #formed: number;
  readonly #stop = new AbortController();
  /** Aborted and replaced when witnesses answer again, to end the pauses of all rounds. */
  #wake = new AbortController();
  /** `none` until the threshold agrees with the store. */
  #mode: SigningMode = "none";
  readonly #adoption: Adoption;
  /** Number of adoptions in progress. No round is formed until it is 0. */
  #holds = 0;
  readonly #attempts: RunningAttempts;

  /** `unsigned` is as for {@linkcode UnformedRanges}. */
  constructor(
    context: SignerContext,
    unsigned: { readonly gaps: readonly SequenceRange[]; readonly formed: number },
  ) {
    this.#context = context;
    this.#attempts = new RunningAttempts(context.clock);
    this.#signing = new RoundSigning(context);
    this.#unformed = new UnformedRanges(unsigned);
    this.#adoption = new Adoption(context, this.#unformed, this.#open);
    this.#formed = unsigned.formed;
  }

  /** Called when digests below `end` are durable; forms rounds up to the limit in flight. */
  advance(end: number): void {
    this.#unformed.advance(end);
    this.#formRounds();
  }

  /**
   * Asks the witnesses which rounds they signed that the store does not have, and forms the same rounds.
   * Call it once the threshold agrees with the store, before mode `all`. Rejects with `threshold_not_met`
   * if too few witnesses answer, and with `storage_failed`.
   */
  async adopt(): Promise<void> {
    await this.#holdingRounds(async () => {
      await this.#adoption.adopt(false, this.#stop.signal);
    });
  }

  /** Runs `change`. No round is formed until it has ended. */
  async #holdingRounds(change: () => Promise<void>): Promise<void> {
    this.#holds++;
    try {
      await change();
    } finally {
      this.#holds--;
      this.#formRounds();
    }
  }

  /** Rounds are formed only in mode `all`. In another mode, digests wait in the store. */
  set mode(mode: SigningMode) {
    // Setting the same mode must not end pauses.
    if (mode === this.#mode) return;
    this.#mode = mode;
    if (mode === "all") {
      this.#wakeAll();
      this.#formRounds();
    }
  }

  /**
   * Until the next call, no round has a sequence from `end` on. Changes nothing and answers false if a
   * round already has one.
   */
  endAt(end: number): boolean {
    const isBeyond = [...this.#open.values(), ...this.#adoption.texts]
      .some(({ first, size }) => first + size > end);
    if (isBeyond || this.#unformed.formed > end) return false;
    this.#unformed.limit = end;
    this.#formRounds();
    return true;
  }

  /** The first durable sequence that is not signed; `undefined` if all are. */
  get oldestUnsigned(): number | undefined {
    const adopted = this.#adoption.texts[0]?.first ?? Infinity;
    const oldest = Math.min(...this.#open.keys(), adopted, this.#unformed.start);
    return oldest === Infinity ? undefined : oldest;
  }

  /** How many durable sequences are not signed. */
  get unsignedCount(): number {
    return [...this.#open.values(), ...this.#adoption.texts]
      .reduce((sum, { size }) => sum + size, this.#unformed.count);
  }

  /** How many durable sequences no round holds yet. */
  get unformedCount(): number {
    return this.#unformed.tailCount;
  }

  /** Sequence after the last digest that was ever in a round. */
  get formed(): number {
    return this.#formed;
  }

  /** How many durable sequences wait because an attempt at their round, or at an earlier one, failed. */
  get retryableCount(): number {
    let count = 0;
    for (const round of this.#open.values()) if (isFailing(round)) count += round.size;
    return count === 0 ? 0 : count + this.#unformed.count;
  }

  /** Rounds that are being signed or wait for their next attempt. */
  get roundsInFlight(): number {
    return this.#open.size;
  }

  /** {@linkcode RoundSigning.answerMs}. */
  get answerMs(): number {
    return this.#signing.answerMs;
  }

  /**
   * Resolves when an attempt ends; `undefined` if none is expected to end within milliseconds. The committer
   * waits for it: the signed round and the digests that arrive meanwhile then share a commit.
   */
  attemptEnd(): Promise<void> | undefined {
    return this.#attempts.soonEnd(this.answerMs);
  }

  /** Whether unsigned digests wait for witnesses that fail. */
  get isHeld(): boolean {
    const isHolding = (round: OpenRound) => isFailing(round) && !round.isStuck;
    return this.#mode !== "all" || this.#open.size >= MAX_OPEN_ROUNDS ||
      this.#open.values().some(isHolding);
  }

  /** The rounds with a failed attempt that are not stored yet. */
  get failing(): FailingRound[] {
    return [...this.#ended.all, ...this.#open.values().filter(hasFailed)]
      .map((round) => ({ first: round.first, size: round.size, state: stateOf(round) }));
  }

  stateOf(sequence: number): WaitingState {
    return waitingState(sequence, this.failing, this.#formed);
  }

  /** Called when the round from `first` is stored. */
  stored(first: number): void {
    if (this.#ended.all.length === 0) return;
    this.#ended.stored(first, this.oldestUnsigned ?? Infinity);
    this.#context.failingChanged();
  }

  /** Cancels every attempt; unsigned rounds stay durable for the next start. */
  stop(): void {
    this.#stop.abort(new CountersignError("shutting_down", "The gateway is shutting down"));
    // Not replaced: a round that reaches its pause later must not sleep.
    this.#wake.abort();
  }

  #formRounds(): void {
    const { signal } = this.#stop;
    while (this.#mode === "all" && !signal.aborted && this.#holds === 0 && this.#hasRoom()) {
      const adopted = this.#adoption.next();
      const range = adopted === undefined
        ? this.#unformed.next()
        : { start: adopted.first, end: adopted.first + adopted.size };
      if (range === undefined) return;
      const round = openRound(range, adopted, this.#ended.before(range));
      this.#formed = Math.max(this.#formed, range.end);
      this.#open.set(round.first, round);
      this.#run(round).catch((error) => {
        if (!this.#stop.signal.aborted) this.#context.failed(error);
      });
    }
  }

  /** Rounds that are stuck do not count: only their own sequences wait. */
  #hasRoom(): boolean {
    if (this.#open.size < MAX_ROUNDS_IN_FLIGHT) return true;
    const stuck = this.#open.values().reduce((count, { isStuck }) => count + Number(isStuck), 0);
    return this.#open.size < MAX_OPEN_ROUNDS && this.#open.size - stuck < MAX_ROUNDS_IN_FLIGHT;
  }

  async #run(round: OpenRound): Promise<void> {
    const { clock, observer, tracer } = this.#context;
    const formedMs = clock.elapsedMs();
    const digests = await this.#digestsOf(round);
    if (digests === undefined) return;
    for (let delayMs = FIRST_DELAY_MS;; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      try {
        round.attempts++;
        round.nextAttemptAt = undefined;
        if (hasFailed(round)) this.#context.failingChanged();
        const { first, size, attempts } = round;
        this.#attempts.begin(round);
        const signed = await tracer.span(
          "round",
          { size, attempt: attempts },
          () => this.#signing.attempt(round, digests, this.#stop.signal),
          { start: first, end: first + size },
        );
        round.isSigned = true;
        this.#open.delete(round.first);
        if (hasFailed(round)) {
          round.lastError = undefined;
          this.#ended.add(round);
          this.#context.failingChanged();
        }
        this.#context.evidence.roundEnded(round.first);
        observer.roundSigned({ size, attempts, ms: clock.elapsedMs() - formedMs });
        this.#context.signed(signed);
        this.#attempts.end(round);
        this.#wakeAll();
        this.#formRounds();
        return;
      } catch (error) {
        this.#attempts.end(round);
        if (!hasCode(error, "threshold_not_met")) throw error;
        round.failedAt = unixSeconds(clock);
        round.lastError = { code: error.code, message: error.message };
        round.isStuck = round.proposal.isStuck(unixSeconds(clock));
        if (round.isStuck) this.#formRounds();
      }
      const { witnesses, threshold } = this.#context.signers.pool;
      const mayRetryNow = this.#mode === "all" &&
        round.proposal.hasNews(unixSeconds(clock), threshold);
      if (!mayRetryNow) await this.#pause(round, delayMs);
      if (this.#stop.signal.aborted) return;
      if (round.proposal.isBlocked(witnesses.length, threshold)) return await this.#giveUp(round);
    }
  }

  /** The digests of a round; `undefined` when stopped. A database may be away: commits are repeated elsewhere, reads here. */
  async #digestsOf({ first, size }: OpenRound): Promise<Bytes | undefined> {
    const { index, clock } = this.#context;
    while (!this.#stop.signal.aborted) {
      try {
        return await index.digests(first, first + size);
      } catch (error) {
        if (!hasCode(error, "storage_failed")) throw error;
      }
      await clock.sleep(FIRST_DELAY_MS, this.#stop.signal);
    }
    return undefined;
  }

  /**
   * Called when too many witnesses signed other texts of the sequences of `round`: adopts what they signed.
   * All witnesses are asked, because the answers of a quorum may have led to this conflict. Asks until
   * enough of them answer, the store can be read, and no round of ours blocks a round of theirs. No round
   * is formed in that time; the witnesses would not sign one.
   */
  #giveUp(round: OpenRound): Promise<void> {
    const { first, size } = round;
    return this.#holdingRounds(async () => {
      this.#open.delete(first);
      round.nextAttemptAt = undefined;
      this.#ended.add(round);
      this.#context.failingChanged();
      this.#context.evidence.roundEnded(first);
      this.#unformed.giveBack({ start: first, end: first + size });
      const { signal } = this.#stop;
      while (!signal.aborted) {
        try {
          if (!await this.#adoption.adopt(true, signal)) return;
        } catch (error) {
          const isPassing = hasCode(error, "threshold_not_met") || hasCode(error, "storage_failed");
          if (!isPassing) throw error;
        }
        await this.#context.clock.sleep(FIRST_DELAY_MS, signal);
      }
    });
  }

  async #pause(round: OpenRound, delayMs: number): Promise<void> {
    const { clock } = this.#context;
    do {
      const ms = this.#mode === "refused" ? REFUSED_DELAY_MS : delayMs;
      round.nextAttemptAt = Math.ceil((clock.nowMs() + ms) / 1000);
      this.#context.failingChanged();
      // That another round is signed shows nothing about a stuck one.
      await clock.sleep(ms, round.isStuck ? this.#stop.signal : this.#wake.signal);
    } while (!this.#mayTry(round) && !this.#stop.signal.aborted);
  }

  #mayTry({ first }: OpenRound): boolean {
    switch (this.#mode) {
      case "all":
        return true;
      case "refused":
        return this.#context.evidence.isRefused(first);
      case "none":
        return false;
    }
  }

  #wakeAll(): void {
    const { signal } = this.#wake;
    // Replace the controller only if a round pauses: this runs after each round.
    for (const round of this.#open.values()) {
      if (round.nextAttemptAt === undefined || round.isStuck || signal.aborted) continue;
      this.#wake.abort();
      this.#wake = new AbortController();
      return;
    }
  }
}
