/**
 * Signing: forms rounds of at most 512 from the durable unsigned range, puts each to all witnesses
 * at once, and hands the first set that meets the threshold to the committer. A stored round never
 * fails: it is put to them again, with a fresh time, until they answer.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError, type ErrorCode, hasCode } from "../errors.ts";
import { encodeRoundMessage } from "../format/round.ts";
import type { RoundTree, RoundTreeBuilder } from "../rounds/round_tree.ts";
import type { HashIndex } from "./hash_index.ts";
import type { PipelineObserver } from "./observer.ts";
import { type BeaconSource, type RoundRecord, UPPER_NODE_HEIGHT } from "./ports.ts";
import { type SequenceRange, UnformedRanges } from "./unformed_ranges.ts";
import type { Tracer } from "./tracer.ts";
import type { WitnessPool } from "./witness_pool.ts";

const MAX_ROUNDS_IN_FLIGHT = 16;
/** Rounds that the time of an answer is averaged over, each new one counting for so much. */
const ANSWERS_AVERAGED = 8;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;

/** How a waiting job stands. */
export interface WaitingState {
  readonly attempts: number;
  /** Unix seconds; absent while an attempt is under way or due now. */
  readonly nextAttemptAt?: number;
  /** Of the last attempt, when that failed. */
  readonly lastError?: { readonly code: ErrorCode; readonly message: string };
}

/** A signed round on its way to the store. */
export interface SignedRound {
  readonly record: RoundRecord;
  readonly tree: RoundTree;
}

interface OpenRound {
  readonly first: number;
  readonly size: number;
  attempts: number;
  nextAttemptAt: number | undefined;
  lastError: WaitingState["lastError"];
}

/** What the signer works with. */
export interface SignerContext {
  readonly networkId: string;
  readonly pool: WitnessPool;
  readonly index: HashIndex;
  readonly buildTree: RoundTreeBuilder;
  readonly clock: Clock;
  /** Absent where rounds have no beacon. */
  readonly beacons: BeaconSource | undefined;
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
  readonly #unformed: UnformedRanges;
  /** In flight, by first sequence. */
  readonly #open = new Map<number, OpenRound>();
  readonly #stop = new AbortController();
  /** Aborted and replaced when witnesses answer again, so that no round sleeps on. */
  #wake = new AbortController();
  #paused = false;
  #answerMs = 0;
  /** Rounds put to witnesses: each is left out of as many as every other. */
  #turn = 0;

  /** `unsigned` as {@linkcode UnformedRanges} takes it. */
  constructor(
    context: SignerContext,
    unsigned: { readonly gaps: readonly SequenceRange[]; readonly formed: number },
  ) {
    this.#context = context;
    this.#unformed = new UnformedRanges(unsigned);
  }

  /** Digests below `end` are durable: forms what rounds there is room for. */
  advance(end: number): void {
    this.#unformed.advance(end);
    this.#formRounds();
  }

  /** While paused no round is formed or tried: what waits stays durable. */
  set paused(paused: boolean) {
    this.#paused = paused;
    if (!paused) {
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
    return this.#answerMs;
  }

  /** True while witnesses do not answer some round, and what waits, waits for them. */
  get isHeld(): boolean {
    if (this.#paused) return true;
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
    while (!this.#paused && !this.#stop.signal.aborted && this.#open.size < MAX_ROUNDS_IN_FLIGHT) {
      const range = this.#unformed.next();
      if (range === undefined) return;
      const round: OpenRound = {
        first: range.start,
        size: range.end - range.start,
        attempts: 0,
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
          () => this.#attempt(round, digests),
          { start: first, end: first + size },
        );
        this.#open.delete(round.first);
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

  /**
   * One attempt, with a time and the latest beacon of its own: nothing of an earlier one is combined
   * with it.
   */
  async #attempt(round: OpenRound, digests: Uint8Array<ArrayBuffer>): Promise<SignedRound> {
    const { networkId, pool, clock, buildTree, beacons } = this.#context;
    // Before the time: no round is signed as earlier than its beacon.
    const beacon = beacons?.latest() ?? null;
    const timestamp = unixSeconds(clock);
    const askedMs = clock.nowMs();
    const tree = buildTree({ networkId, timestamp, first: round.first, digests });
    const message = encodeRoundMessage({
      network_id: networkId,
      timestamp,
      size: round.size,
      root: tree.root.toHex(),
      beacon,
    });
    const request = { networkId, timestamp, firstSequence: round.first, digests, beacon };
    const signatures = await pool.collect(
      message,
      (witness, _place, signal) => witness.client.sign(request, signal),
      this.#stop.signal,
      pool.askingOf(this.#turn++),
    );
    this.#answerMs += (clock.nowMs() - askedMs - this.#answerMs) / ANSWERS_AVERAGED;
    const upperNodes = tree.levels[Math.min(UPPER_NODE_HEIGHT, tree.levels.length - 1)]!;
    return {
      record: {
        first: round.first,
        size: round.size,
        timestamp,
        attempts: round.attempts,
        beacon,
        signatures,
        upperNodes,
      },
      tree,
    };
  }

  async #pause(round: OpenRound, delayMs: number): Promise<void> {
    const { clock } = this.#context;
    do {
      round.nextAttemptAt = Math.ceil((clock.nowMs() + delayMs) / 1000);
      await clock.sleep(delayMs, this.#wake.signal);
    } while (this.#paused && !this.#stop.signal.aborted);
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
