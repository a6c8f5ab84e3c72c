/**
 * Rounds that witnesses signed and the store does not have are formed again, with the same text.
 *
 * @module
 */

import { equalBytes } from "../../base/bytes.ts";
import { unixSeconds } from "../../base/clock.ts";
import type { Report } from "../../base/report.ts";
import type { RoundText } from "../../proof/format/witness_request.ts";
import type { HashIndex } from "../index/hash_index.ts";
import { canBeCompleted, type LearnedRound, learnRounds } from "./learned_rounds.ts";
import type { OpenRound } from "./open_round.ts";
import type { RoundSigningContext } from "./round_signing.ts";
import { areCrossed, type SequenceRange, type UnformedRanges } from "./unformed_ranges.ts";

export interface AdoptionContext extends
  Pick<
    RoundSigningContext,
    "networkId" | "signers" | "evidence" | "clock" | "buildTree"
  > {
  readonly index: HashIndex;
  readonly report: Report;
}

/** The adopted texts. Their sequences are taken from `unformed`; they are formed first. */
export class Adoption {
  readonly #context: AdoptionContext;
  readonly #unformed: UnformedRanges;
  /** Rounds in flight, by first sequence. */
  readonly #open: ReadonlyMap<number, OpenRound>;
  /** Ascending. */
  readonly #texts: RoundText[] = [];

  constructor(
    context: AdoptionContext,
    unformed: UnformedRanges,
    open: ReadonlyMap<number, OpenRound>,
  ) {
    this.#context = context;
    this.#unformed = unformed;
    this.#open = open;
  }

  /** Texts that no round has yet, ascending. */
  get texts(): readonly RoundText[] {
    return this.#texts;
  }

  /** Takes the first of {@linkcode Adoption.texts}. */
  next(): RoundText | undefined {
    return this.#texts.shift();
  }

  /**
   * Asks the witnesses what they signed for unformed sequences, and adopts it. True if our rounds in flight
   * keep a round of the witnesses from being adopted. Call it again then: our rounds will be given up. Rejects
   * with `threshold_not_met` and with `storage_failed`.
   */
  async adopt(asksAll: boolean, signal: AbortSignal): Promise<boolean> {
    const { signers: { pool }, evidence, clock } = this.#context;
    const { ranges, end } = this.#unformed;
    if (ranges.length === 0) return false;
    const { rounds, beyond } = await learnRounds(pool, { ranges, end, asksAll }, signal);
    // Witnesses signed digests that this store lacks: it was rolled back, or another gateway has them.
    for (const [witnessIndex, size] of beyond) evidence.sizeReported(witnessIndex, size);
    const blocked: SequenceRange[] = [];
    let adopted = 0;
    for (const learned of rounds) {
      const { first, size } = learned.text;
      const range = { start: first, end: first + size };
      if (range.end > end || !canBeCompleted(learned, pool, unixSeconds(clock))) continue;
      // No text but the blocked one can meet the threshold for these sequences.
      if (blocked.some((other) => areCrossed(range, other))) continue;
      if (!this.#unformed.has(range) && !this.#isInTheWay(learned, range)) continue;
      // The witnesses signed other digests than ours. They refuse our round, and the refusal reports that.
      if (!await this.#hasOurDigests(learned.text)) continue;
      // Checked again: our round may have been given up while the digests were read.
      if (!this.#unformed.has(range)) {
        blocked.push(range);
        continue;
      }
      this.#unformed.take(range);
      const at = this.#texts.findLastIndex((text) => text.first < first) + 1;
      this.#texts.splice(at, 0, learned.text);
      adopted++;
    }
    if (adopted > 0) this.#reportAdopted(adopted);
    return blocked.length > 0;
  }

  /** Whether so many signed it that no other text of its sequences can meet the threshold, and ours is another one. */
  #isInTheWay({ signers }: LearnedRound, range: SequenceRange): boolean {
    const { witnesses, threshold } = this.#context.signers.pool;
    return signers > witnesses.length - threshold && this.#isCrossed(range);
  }

  /** Whether a round in flight has a sequence of `range`, but not the same bounds. */
  #isCrossed(range: SequenceRange): boolean {
    return this.#open.values().some(({ first, size }) => {
      const round = { start: first, end: first + size };
      const isSame = round.start === range.start && round.end === range.end;
      return !isSame && areCrossed(round, range);
    });
  }

  async #hasOurDigests({ first, size, timestamp, root }: RoundText): Promise<boolean> {
    const { networkId, index, buildTree } = this.#context;
    const digests = await index.digests(first, first + size);
    return equalBytes(buildTree({ networkId, timestamp, first, digests }).root, root);
  }

  #reportAdopted(count: number): void {
    const rounds = count === 1 ? "1 round" : `${count} rounds`;
    this.#context.report(
      `Witnesses signed ${rounds} that the store does not have: sent again as signed`,
      { level: "info" },
    );
  }
}
