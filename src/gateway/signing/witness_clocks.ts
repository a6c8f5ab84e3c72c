/**
 * Compares this machine's clock with those of remote witnesses, and reports differences: the operator has
 * to set a clock. Witnesses refuse times that are too far from their own, so a difference changes no
 * signed time.
 *
 * @module
 */

import type { Clock } from "../../base/clock.ts";
import { Condition, type Report } from "../../base/report.ts";

/** A difference above this is reported. */
const TOLERATED_MS = 1_000;
/** A reported difference ends below this. */
const AGREED_MS = 750;
/** A reading expires after this time; the gateway asks each witness at least every 10 s. */
const READING_MS = 60_000;
/**
 * After a change, clocks are judged once every witness has answered again, or after this time. Judged by
 * the first reading alone, a jump of our own clock would look like that of one witness.
 */
const SETTLE_MS = 12_000;
/**
 * A refusal counts for at least this time. Witnesses compare whole seconds, so near the limit they both
 * refuse and accept within one second.
 */
const REFUSAL_MS = 10_000;

/** Bounds of how far a witness's clock is ahead of ours, in milliseconds. Negative: behind. */
export interface ClockBounds {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** A problem with the clocks. */
export interface ClockFinding {
  readonly message: string;
  /** So many witnesses refuse our times that the threshold is out of reach. */
  readonly stopsSigning: boolean;
}

interface JudgedFinding extends ClockFinding {
  /** Changes when other clocks differ, in another direction, or signing stops or continues. */
  readonly cause: string;
}

export interface WitnessClocksContext {
  /** Ids of the remote witnesses. */
  readonly ids: readonly string[];
  /** How many witnesses may fail while the others still meet the threshold. */
  readonly spares: number;
  readonly clock: Clock;
  readonly report: Report;
}

type Difference = "ahead" | "behind" | "none";

interface WitnessClock {
  readonly id: string;
  atMs: number;
  aheadMs: number;
  difference: Difference;
  /** The last reading was within the agreed bounds. */
  agrees: boolean;
  refusesTimes: boolean;
  /** When it last refused a time. */
  refusedMs: number;
  /** Has answered since the last change of any clock. */
  isCurrent: boolean;
}

/** The clocks of one network's remote witnesses. */
export class WitnessClocks {
  readonly #context: WitnessClocksContext;
  readonly #clocks: ReadonlyMap<string, WitnessClock>;
  /** When the first change that is not judged yet was seen. */
  #changedMs: number | undefined;
  /** Copies of the clocks at the last judgement; empty if they agreed. */
  #judged: readonly WitnessClock[] = [];
  readonly #disagreement: Condition;

  constructor(context: WitnessClocksContext) {
    this.#context = context;
    this.#disagreement = new Condition(context);
    this.#clocks = new Map(context.ids.map((id) => [id, {
      id,
      atMs: -Infinity,
      aheadMs: 0,
      difference: "none",
      agrees: false,
      refusesTimes: false,
      refusedMs: -Infinity,
      isCurrent: false,
    }]));
  }

  /** The problem with the clocks of answering witnesses; absent while these clocks agree. */
  get finding(): ClockFinding | undefined {
    const answering = this.#judged.filter(({ id }) => this.#isAnswering(this.#clocks.get(id)!));
    return findingOf(answering, this.#context.spares);
  }

  /** How many milliseconds the clock of each answering witness is ahead of ours. */
  get differences(): readonly { readonly witness: string; readonly aheadMs: number }[] {
    return this.#answering().map(({ id, aheadMs }) => ({ witness: id, aheadMs }));
  }

  /** An answer of `witness` bounds the difference of the clocks. */
  read(witness: string, { leastMs, mostMs }: ClockBounds): void {
    const known = this.#clocks.get(witness)!;
    const wasAnswering = this.#isAnswering(known);
    known.atMs = this.#context.clock.nowMs();
    known.isCurrent = true;
    known.aheadMs = (leastMs + mostMs) / 2;
    known.agrees = leastMs >= -AGREED_MS && mostMs <= AGREED_MS;
    const previousSide = sideOf(known);
    // Bounds on both sides of a limit change nothing.
    if (leastMs > TOLERATED_MS) known.difference = "ahead";
    else if (mostMs < -TOLERATED_MS) known.difference = "behind";
    else if (known.agrees) {
      known.difference = "none";
      known.refusesTimes = false;
    }
    const side = sideOf(known);
    if (side !== previousSide || !wasAnswering && side !== undefined) this.#changed(known);
    this.#judge();
  }

  /**
   * `witness` accepted a time that was proposed to it, or refused it (`time_refused`). A refusal
   * while the clocks agree is ignored: the time was old, or taken before a clock was set.
   */
  timeAnswered(witness: string, isRefused: boolean): void {
    const known = this.#clocks.get(witness)!;
    const nowMs = this.#context.clock.nowMs();
    if (isRefused) {
      if (known.agrees) return;
      known.refusedMs = nowMs;
      known.atMs = nowMs;
    } else if (Math.abs(nowMs - known.refusedMs) < REFUSAL_MS) return;
    if (known.refusesTimes === isRefused) return this.#judge();
    known.atMs = nowMs;
    known.refusesTimes = isRefused;
    this.#changed(known);
    this.#judge();
  }

  #changed(changed: WitnessClock): void {
    for (const clock of this.#clocks.values()) clock.isCurrent = clock === changed;
    this.#changedMs ??= this.#context.clock.nowMs();
  }

  #isAnswering({ atMs }: WitnessClock): boolean {
    // Absolute value: our clock may have been set.
    return Math.abs(this.#context.clock.nowMs() - atMs) <= READING_MS;
  }

  #answering(): WitnessClock[] {
    return [...this.#clocks.values()].filter((clock) => this.#isAnswering(clock));
  }

  #judge(): void {
    if (this.#changedMs === undefined && this.#judged.length === 0) return;
    const { clock, spares } = this.#context;
    if (this.#changedMs !== undefined) {
      const waitedMs = Math.abs(clock.nowMs() - this.#changedMs);
      const areCurrent = this.#clocks.values().every(({ isCurrent }) => isCurrent);
      if (waitedMs < SETTLE_MS && !areCurrent) return;
      this.#changedMs = undefined;
    }
    const answering = this.#answering();
    const finding = findingOf(answering, spares);
    if (finding === undefined) {
      this.#judged = [];
      this.#disagreement.ended("The clocks of this machine and of the witnesses agree again");
      return;
    }
    this.#judged = answering.map((known) => ({ ...known }));
    this.#disagreement.holds(
      finding.message,
      finding.stopsSigning ? { level: "error", code: "time_refused" } : {},
      finding.cause,
    );
  }
}

/** Blames our clock if most witnesses differ from it in one direction, and otherwise single witnesses. */
function findingOf(clocks: readonly WitnessClock[], spares: number): JudgedFinding | undefined {
  const wrong = clocks.filter((clock) => sideOf(clock) !== undefined);
  if (wrong.length === 0) return undefined;
  const refusing = clocks.filter(({ refusesTimes }) => refusesTimes);
  const stopsSigning = refusing.length > spares;
  const effect = stopsSigning
    ? `. ${namesOf(refusing)} refuse the times of this gateway (time_refused): nothing is signed`
    : "";
  const message = messageOf(clocks.length, wrong) + effect;
  const sides = wrong.map((clock) => `${clock.id} ${sideOf(clock)}`).toSorted();
  return { message, stopsSigning, cause: `${sides.join()} ${stopsSigning}` };
}

function messageOf(count: number, wrong: readonly WitnessClock[]): string {
  for (const side of ["ahead", "behind", "refusing"] as const) {
    const group = wrong.filter((clock) => sideOf(clock) === side);
    if (group.length < 2 || 2 * group.length <= count) continue;
    const difference = side === "refusing"
      ? "differs from"
      : `is ${secondsOf(group)} ${side === "ahead" ? "behind" : "ahead of"}`;
    return `The clock of this machine ${difference} those of ${namesOf(group)}: set this clock`;
  }
  const isOurs = 2 * wrong.length >= count ? ", or that of this machine" : "";
  const differences = wrong.map((clock) => {
    const side = sideOf(clock);
    return side === "refusing"
      ? `${clock.id} differs`
      : `${clock.id} is ${secondsOf([clock])} ${side === "ahead" ? "ahead" : "behind"}`;
  });
  return `The clocks of this machine and of ${namesOf(wrong)} disagree ` +
    `(${differences.join(", ")}): have ${wrong.length === 1 ? "that clock" : "these clocks"} set` +
    isOurs;
}

function sideOf(
  { difference, refusesTimes }: WitnessClock,
): "ahead" | "behind" | "refusing" | undefined {
  if (difference !== "none") return difference;
  return refusesTimes ? "refusing" : undefined;
}

function secondsOf(clocks: readonly WitnessClock[]): string {
  const seconds = clocks.map(({ aheadMs }) => Math.abs(aheadMs) / 1000).toSorted((a, b) => a - b);
  return `${seconds[Math.floor(seconds.length / 2)]!.toFixed(1)} s`;
}

function namesOf(clocks: readonly WitnessClock[]): string {
  return clocks.map(({ id }) => id).toSorted().join(", ");
}
