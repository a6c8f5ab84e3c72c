/**
 * Reports of witnesses that only an old or a forked store explains: a larger tree than ours, other
 * hashes for our sequences, or a tree that ours does not extend. An honest gateway over the newest store
 * gets none from an honest witness, even after a `kill -9`: it sends the same digests for the same
 * sequences again, and a witness never cosigns a tree that was not committed here.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";

/**
 * Witnesses remember digests for this many sequences above their cosigned size. A refusal of
 * a later round says nothing about its digests.
 */
const REMEMBERED_SEQUENCES = 2 ** 20;

export interface ForkEvidenceContext {
  /** Ids of all witnesses, by witness index. */
  readonly ids: readonly string[];
  readonly threshold: number;
  /** Size of the committed tree. */
  readonly treeSize: () => number;
  /** Called after each report. */
  readonly reported: () => void;
  /** Called when a report about a round is no longer in force. */
  readonly withdrawn: () => void;
}

/** The reports in force, kept separately for heads and for rounds. */
export class ForkEvidence {
  #context: ForkEvidenceContext;
  /** Larger sizes by witness index; `Infinity` for a tree that ours does not extend. */
  readonly #sizes = new Map<number, number>();
  /** Witnesses that signed other digests, by first sequence of an unsigned round. */
  readonly #rounds = new Map<number, Set<number>>();

  constructor(context: ForkEvidenceContext) {
    this.#context = context;
  }

  /** Other witnesses sign from now on: drops all reports. */
  witnessesChanged(ids: readonly string[], threshold: number): void {
    this.#context = { ...this.#context, ids, threshold };
    this.#sizes.clear();
    this.#rounds.clear();
  }

  /** The witness has signed `size` leaves, in a head or before one. A size that our tree has is no evidence. */
  sizeReported(witnessIndex: number, size: number): void {
    if (size <= this.#context.treeSize()) return;
    this.#sizes.set(witnessIndex, size);
    this.#context.reported();
  }

  /** The witness has cosigned a tree that ours does not extend (`consistency_refused`). */
  growthRefused(witnessIndex: number): void {
    this.sizeReported(witnessIndex, Infinity);
  }

  /** The witness has cosigned our head. */
  headCosigned(witnessIndex: number): void {
    this.#sizes.delete(witnessIndex);
  }

  /**
   * The witness refused the unsigned round at `first` with `sequence_conflict`, and
   * reported `size` as cosigned, if known.
   */
  roundRefused(witnessIndex: number, first: number, size = 0): void {
    if (size > this.#context.treeSize()) return this.sizeReported(witnessIndex, size);
    if (first - size >= REMEMBERED_SEQUENCES) return;
    const witnessIndexes = this.#rounds.get(first) ?? new Set();
    this.#rounds.set(first, witnessIndexes.add(witnessIndex));
    this.#context.reported();
  }

  /** The witness signed the round at `first`. */
  roundAccepted(witnessIndex: number, first: number): void {
    if (this.#rounds.get(first)?.delete(witnessIndex)) this.#context.withdrawn();
  }

  /** The round at `first` met the threshold, or is given up: refusals of it contradict nothing. */
  roundEnded(first: number): void {
    if (this.#rounds.delete(first)) this.#context.withdrawn();
  }

  /** Whether a witness refused the unsigned round at `first`. */
  isRefused(first: number): boolean {
    return (this.#rounds.get(first)?.size ?? 0) > 0;
  }

  /** Whether larger trees alone put the threshold out of reach. */
  get isBehind(): boolean {
    return this.#isEnough(this.#ahead().length);
  }

  /**
   * `store_rolled_back` when so many witnesses contradict this store that the threshold is out of
   * reach: an honest one is among them. Fewer could be liars.
   */
  verdict(): CountersignError | undefined {
    const { ids, treeSize } = this.#context;
    const ahead = new Map(this.#ahead());
    const refusing = new Set(
      [...this.#rounds.values()].flatMap((witnessIndexes) => [...witnessIndexes]),
    );
    const witnessIndexes = ids.map((_, witnessIndex) => witnessIndex)
      .filter((witnessIndex) => ahead.has(witnessIndex) || refusing.has(witnessIndex));
    if (!this.#isEnough(witnessIndexes.length)) return undefined;
    const reports = witnessIndexes.map((witnessIndex) =>
      `${ids[witnessIndex]}: ${reportOf(ahead.get(witnessIndex))}`
    );
    return new CountersignError(
      "store_rolled_back",
      `This store is an old copy, or another gateway has continued its log: it holds ${treeSize()} ` +
        `leaves, and too many witnesses contradict it (${
          reports.join(", ")
        }). Nothing is accepted. ` +
        'Stop this gateway and start the one with the newest store: "store_rolled_back" in ' +
        "docs/operating.md",
    );
  }

  #ahead(): [number, number][] {
    const ours = this.#context.treeSize();
    return [...this.#sizes].filter(([, size]) => size > ours);
  }

  #isEnough(count: number): boolean {
    const { ids, threshold } = this.#context;
    return count > ids.length - threshold;
  }
}

function reportOf(size: number | undefined): string {
  if (size === undefined) return "signed other hashes";
  return size === Infinity ? "cosigned another tree" : `signed up to size ${size}`;
}
