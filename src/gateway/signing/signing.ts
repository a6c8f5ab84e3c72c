/**
 * Signing: forms rounds of at most 512 digests from the durable unsigned range, sends each to all
 * witnesses, and passes the first set that meets the threshold to the committer. A round never fails: it
 * is sent again until the witnesses sign it.
 *
 * @module
 */

import { equalBytes } from "../../base/bytes.ts";
import { SLEEP_OVER, unixSeconds } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import type { FailingRound, WaitingState } from "../fronts/ports.ts";
import type { HashIndex } from "../index/hash_index.ts";
import type { RoundText } from "../../proof/format/witness_request.ts";
import type { Report } from "../../base/report.ts";
import type { PipelineObserver } from "../observer.ts";
import { canBeCompleted, learnRounds } from "./learned_rounds.ts";
import { EndedRounds } from "./ended_rounds.ts";
import { hasFailed, isFailing, type OpenRound, openRound, stateOf } from "./open_round.ts";
import { RoundSigning, type RoundSigningContext, type SignedRound } from "./round_signing.ts";
import { type SigningView, waitingState } from "./signing_view.ts";
import type { Tracer } from "../tracer.ts";
import { areCrossed, type SequenceRange, UnformedRanges } from "./unformed_ranges.ts";

const MAX_ROUNDS_IN_FLIGHT = 16;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
/** An attempt that takes longer is not about to end. */
const PROMPT_MS = 5;
/** Pause between attempts at refused rounds while no other round is signed. */
const REFUSED_DELAY_MS = 30_000;

/**
 * Which rounds are sent to witnesses: `all`, `none`, or only those that a witness refused because it
 * signed other hashes. Witnesses have seen these rounds, so another attempt reveals nothing new, and its
 * success shows that the witnesses agree again.
 */
export type SigningMode = "all" | "refused" | "none";

export interface SignerContext extends RoundSigningContext {
  readonly index: HashIndex;
  readonly observer: PipelineObserver;
  readonly tracer: Tracer;
  readonly report: Report;
  /** Called with a round whose signatures met the threshold. */
  readonly signed: (round: SignedRound) => void;
  /** Called when {@linkcode Signer.failing} has changed. */
  readonly failingChanged: () => void;
  /** Called after a fault that no retry fixes. */
  readonly failed: (error: unknown) => void;
}

/** The rounds in flight. Every retry keeps the boundaries of its round, and its text while it can be signed. */
export class Signer implements SigningView {
  readonly #context: SignerContext;
  readonly #signing: RoundSigning;
  readonly #unformed: UnformedRanges;
  /** In flight, by first sequence. */
  readonly #open = new Map<number, OpenRound>();
  readonly #ended = new EndedRounds();
  #formed: number;
  readonly #stop = new AbortController();
  /** Aborted and replaced when witnesses answer again, to end the pauses of all rounds. */
  #wake = new AbortController();
  /** Nothing is signed before the threshold has agreed with the store. */
  #mode: SigningMode = "none";
  /** Rounds that witnesses signed and the store does not have; they are formed first. */
  readonly #adopted: RoundText[] = [];
  /** Adoptions in progress: no round is formed meanwhile. */
  #holds = 0;
  /** Rounds with an attempt in progress, and when it began. */
  readonly #attempted = new Map<OpenRound, number>();
  /** Aborted when the next attempt ends; absent if nothing waits for that. */
  #attemptEnd: AbortController | undefined;

  /** `unsigned` is as for {@linkcode UnformedRanges}. */
  constructor(
    context: SignerContext,
    unsigned: { readonly gaps: readonly SequenceRange[]; readonly formed: number },
  ) {
    this.#context = context;
    this.#signing = new RoundSigning(context);
    this.#unformed = new UnformedRanges(unsigned);
    this.#formed = unsigned.formed;
  }

  /** Called when digests below `end` are durable; forms rounds up to the limit in flight. */
  advance(end: number): void {
    this.#unformed.advance(end);
    this.#formRounds();
  }

  /**
   * Learns from the witnesses which rounds they signed of the unformed sequences, and forms these as they
   * are. Call it when the threshold agrees with the store, before mode `all`. Rejects with
   * `threshold_not_met` if too few witnesses answer, and with `storage_failed`.
   */
  async adopt(): Promise<void> {
    await this.#holdingRounds(async () => {
      await this.#adopt(false);
    });
  }

  /** No round is formed until `change` has ended. */
  async #holdingRounds(change: () => Promise<void>): Promise<void> {
    this.#holds++;
    try {
      await change();
    } finally {
      this.#holds--;
      this.#formRounds();
    }
  }

  /** True if a round cannot be adopted before others of ours are given up. */
  async #adopt(asksAll: boolean): Promise<boolean> {
    const { networkId, signers: { pool }, evidence, index, clock, buildTree } = this.#context;
    const { start: from, end } = this.#unformed;
    if (from >= end) return false;
    const known = { from, end, asksAll };
    const { rounds, beyond } = await learnRounds(pool, known, this.#stop.signal);
    // Another gateway has digests that this store lacks.
    for (const [witnessIndex, size] of beyond) evidence.sizeReported(witnessIndex, size);
    const awaited: SequenceRange[] = [];
    let adopted = 0;
    for (const learned of rounds) {
      const { first, size, timestamp, root } = learned.text;
      const range = { start: first, end: first + size };
      if (range.end > end || !canBeCompleted(learned, pool, unixSeconds(clock))) continue;
      // Another text of these sequences cannot reach the threshold.
      if (awaited.some((other) => areCrossed(range, other))) continue;
      const isUnformed = this.#unformed.has(range);
      const isCertain = learned.signers > pool.witnesses.length - pool.threshold;
      if (!isUnformed && !(isCertain && this.#isCrossed(range))) continue;
      const digests = await index.digests(range.start, range.end);
      const tree = buildTree({ networkId, timestamp, first, digests });
      // Other digests than ours: the witness refuses our round, and so reports it.
      if (!equalBytes(tree.root, root)) continue;
      // What was formed meanwhile is in the way now.
      if (!this.#unformed.has(range)) awaited.push(range);
      else {
        this.#unformed.take(range);
        this.#adopted.push(learned.text);
        adopted++;
      }
    }
    this.#adopted.sort((a, b) => a.first - b.first);
    if (adopted > 0) this.#reportAdopted(adopted);
    return awaited.length > 0;
  }

  #reportAdopted(count: number): void {
    this.#context.report(
      `Witnesses signed ${count} ${
        count === 1 ? "round" : "rounds"
      } that the store does not have: sent again as signed`,
      { level: "info" },
    );
  }

  /** Whether a round in flight has some of the sequences of `range`, and has other bounds. */
  #isCrossed(range: SequenceRange): boolean {
    return this.#open.values().some(({ first, size }) => {
      const round = { start: first, end: first + size };
      const isSame = round.start === range.start && round.end === range.end;
      return !isSame && areCrossed(round, range);
    });
  }

  /** Rounds are formed in mode `all` only; digests that wait stay durable. */
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
   * Rounds end at `end`, and none is formed beyond it until the next call. False if one was, and then
   * nothing changes.
   */
  endAt(end: number): boolean {
    const isBeyond = [...this.#open.values(), ...this.#adopted]
      .some(({ first, size }) => first + size > end);
    if (isBeyond || this.#unformed.formed > end) return false;
    this.#unformed.limit = end;
    this.#formRounds();
    return true;
  }

  /** The first durable sequence that is not signed; `undefined` if all are. */
  get oldestUnsigned(): number | undefined {
    const adopted = this.#adopted[0]?.first ?? Infinity;
    const oldest = Math.min(...this.#open.keys(), adopted, this.#unformed.start);
    return oldest === Infinity ? undefined : oldest;
  }

  /** How many durable sequences are not signed. */
  get unsignedCount(): number {
    return [...this.#open.values(), ...this.#adopted]
      .reduce((sum, { size }) => sum + size, this.#unformed.count);
  }

  /** How many durable sequences no round holds yet. */
  get unformedCount(): number {
    return this.#unformed.tailCount;
  }

  /** As in `SigningLoad`. */
  get formed(): number {
    return this.#formed;
  }

  /** How many durable sequences wait because their round or an earlier one failed. */
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
   * Resolves when an attempt ends, or has taken {@linkcode PROMPT_MS}. `undefined` if none is about to end, as
   * far as the answers so far tell.
   */
  attemptEnd(): Promise<void> | undefined {
    const { answerMs } = this;
    if (this.#attempted.size === 0 || answerMs === 0 || answerMs > PROMPT_MS) return undefined;
    const { clock } = this.#context;
    const leftMs = Math.max(...this.#attempted.values()) + PROMPT_MS - clock.elapsedMs();
    if (leftMs <= 0) return undefined;
    this.#attemptEnd ??= new AbortController();
    return clock.sleep(Math.min(leftMs, PROMPT_MS), this.#attemptEnd.signal);
  }

  /** Whether unsigned digests wait for witnesses that fail. */
  get isHeld(): boolean {
    return this.#mode !== "all" || this.#open.values().some(isFailing);
  }

  /** The rounds of which an attempt failed, and which are not stored. */
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
    while (this.#mode === "all" && !signal.aborted && this.#open.size < MAX_ROUNDS_IN_FLIGHT) {
      if (this.#holds > 0) return;
      const adopted = this.#adopted.shift();
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

  async #run(round: OpenRound): Promise<void> {
    const { clock, observer, tracer } = this.#context;
    const formedMs = clock.elapsedMs();
    const digests = await this.#context.index.digests(round.first, round.first + round.size);
    for (let delayMs = FIRST_DELAY_MS;; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      try {
        round.attempts++;
        round.nextAttemptAt = undefined;
        if (hasFailed(round)) this.#context.failingChanged();
        const { first, size, attempts } = round;
        this.#attempted.set(round, clock.elapsedMs());
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
        this.#attemptEnded(round);
        this.#wakeAll();
        this.#formRounds();
        return;
      } catch (error) {
        this.#attemptEnded(round);
        if (!hasCode(error, "threshold_not_met")) throw error;
        round.failedAt = unixSeconds(clock);
        round.lastError = { code: error.code, message: error.message };
      }
      const { witnesses, threshold } = this.#context.signers.pool;
      const mayGoOn = this.#mode === "all" &&
        round.proposal.hasNews(unixSeconds(clock), threshold);
      if (!mayGoOn) await this.#pause(round, delayMs);
      if (this.#stop.signal.aborted) return;
      if (round.proposal.isBlocked(witnesses.length, threshold)) return await this.#giveUp(round);
    }
  }

  /**
   * Too many witnesses signed other texts of these sequences: adopts what they signed. All are asked, because the
   * answers of a quorum may have led here. Repeated until enough of them answer, and until no round of ours is in
   * the way of what they signed; without them nothing is signed anyway.
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
          if (!await this.#adopt(true)) return;
        } catch (error) {
          if (!hasCode(error, "threshold_not_met")) throw error;
        }
        await this.#context.clock.sleep(FIRST_DELAY_MS, signal);
      }
    });
  }

  #attemptEnded(round: OpenRound): void {
    this.#attempted.delete(round);
    this.#attemptEnd?.abort(SLEEP_OVER);
    this.#attemptEnd = undefined;
  }

  async #pause(round: OpenRound, delayMs: number): Promise<void> {
    const { clock } = this.#context;
    do {
      const ms = this.#mode === "refused" ? REFUSED_DELAY_MS : delayMs;
      round.nextAttemptAt = Math.ceil((clock.nowMs() + ms) / 1000);
      this.#context.failingChanged();
      await clock.sleep(ms, this.#wake.signal);
    } while (!this.#mayTry(round) && !this.#stop.signal.aborted);
  }

  #mayTry({ first }: OpenRound): boolean {
    return this.#mode === "all" ||
      this.#mode === "refused" && this.#context.evidence.isRefused(first);
  }

  #wakeAll(): void {
    const { signal } = this.#wake;
    // Saves a controller for each round while no round pauses.
    for (const round of this.#open.values()) {
      if (round.nextAttemptAt === undefined || signal.aborted) continue;
      this.#wake.abort();
      this.#wake = new AbortController();
      return;
    }
  }
}
