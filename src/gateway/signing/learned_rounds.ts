/**
 * What the witnesses signed and the store does not have, after a crash, a take-over or the loss of the
 * newest part of the store: the gateway proposes exactly that again. Any quorum shares an honest witness
 * with the threshold that signed a round, so the answers of any quorum name every such round. They may name
 * others too, with as many signers; a gateway that proposed one in vain asks all witnesses.
 *
 * @module
 */

import { MAX_ROUND_SIZE } from "../../proof/format/round.ts";
import {
  MAX_ROUNDS_LISTED,
  MAX_SECONDS_BEHIND,
  MAX_SECONDS_VOUCHED,
  type RoundText,
  vouchersNeeded,
} from "../../proof/format/witness_request.ts";
import type { SequenceRange } from "./unformed_ranges.ts";
import type { WitnessPool } from "./witness_pool.ts";

/** A text, and how many witnesses say that they signed it. */
export interface LearnedRound {
  readonly text: RoundText;
  signers: number;
}

export interface LearnedRounds {
  /** The one with the most signers first. */
  readonly rounds: readonly LearnedRound[];
  /** The ends of rounds that end beyond our digests, by the index of a witness that signed one. */
  readonly beyond: ReadonlyMap<number, number>;
}

/**
 * The texts that witnesses signed for sequences of `ranges`, which ascend, and from `end` on, where our digests end. A
 * quorum names every text that the threshold signed; only all witnesses tell how many signed it. Rejects with
 * `threshold_not_met` if fewer than the threshold answer.
 */
export async function learnRounds(
  pool: WitnessPool,
  { ranges, end, asksAll }: {
    readonly ranges: readonly SequenceRange[];
    readonly end: number;
    readonly asksAll: boolean;
  },
  signal: AbortSignal,
): Promise<LearnedRounds> {
  const wanted = asksAll ? pool.witnesses.length : pool.threshold;
  // One page from `end` on says whether the witness signed more than we have.
  const read = [...ranges, { start: end, end: end + 1 }];
  const answers = await pool.ask(
    wanted,
    (client, request) => readRounds(read, (from) => request((s) => client.roundsFrom(from, s))),
    signal,
  );
  const learned = new Map<string, LearnedRound>();
  const beyond = new Map<number, number>();
  for (const [witnessIndex, rounds] of answers) {
    const keys = new Map(rounds.map((text) => [keyOf(text), text]));
    for (const [key, text] of keys) {
      const known = learned.get(key) ?? { text, signers: 0 };
      known.signers++;
      learned.set(key, known);
      const last = endOf(text);
      if (last > Math.max(end, beyond.get(witnessIndex) ?? 0)) beyond.set(witnessIndex, last);
    }
  }
  const rounds = [...learned.values()].sort((a, b) =>
    b.signers - a.signers || a.text.timestamp - b.text.timestamp
  );
  return { rounds, beyond };
}

/**
 * Whether the threshold can sign `round` at `now` (Unix seconds): those that have not signed it accept its time, or are
 * not needed.
 */
export function canBeCompleted(
  { text: { timestamp }, signers }: LearnedRound,
  { threshold, witnesses }: WitnessPool,
  now: number,
): boolean {
  if (signers >= threshold || now - timestamp <= MAX_SECONDS_BEHIND) return true;
  return signers >= vouchersNeeded(threshold, witnesses.length) &&
    now - timestamp <= MAX_SECONDS_VOUCHED;
}

/** The rounds with a sequence of `ranges`, and others that `pageFrom` names with them. Sequences between are not read. */
async function readRounds(
  ranges: readonly SequenceRange[],
  pageFrom: (from: number) => Promise<readonly RoundText[]>,
): Promise<RoundText[]> {
  const rounds: RoundText[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    at = Math.max(at, start);
    while (at < end) {
      const page = validPart(await pageFrom(at), at);
      rounds.push(...page);
      // The witness has signed no other round from `at` on.
      if (page.length < MAX_ROUNDS_LISTED) return rounds;
      at = endOf(page.at(-1)!);
    }
  }
  return rounds;
}

/**
 * The first rounds of an answer as far as they are valid: they ascend, no two share a sequence, and each ends beyond
 * `from`. So a lying witness names at most one round for each sequence.
 */
function validPart(page: readonly RoundText[], from: number): readonly RoundText[] {
  let least = 0;
  const wrong = page.findIndex((round) => {
    const { first, size } = round;
    const isRight = size >= 1 && size <= MAX_ROUND_SIZE && first >= least && endOf(round) > from;
    least = endOf(round);
    return !isRight;
  });
  return page.slice(0, wrong < 0 ? MAX_ROUNDS_LISTED : Math.min(wrong, MAX_ROUNDS_LISTED));
}

function endOf({ first, size }: RoundText): number {
  return first + size;
}

function keyOf({ first, size, timestamp, beacon, root }: RoundText): string {
  return [first, size, timestamp, beacon?.round, beacon?.signature, root.toHex()].join(" ");
}
