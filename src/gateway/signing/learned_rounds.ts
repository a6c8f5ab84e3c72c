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
  MAX_SECONDS_BEHIND,
  MAX_SECONDS_VOUCHED,
  type RoundText,
  vouchersNeeded,
} from "../../proof/format/witness_request.ts";
import type { WitnessPool } from "./witness_pool.ts";

/** A text, and how many witnesses say that they signed it. */
interface LearnedRound {
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
 * The texts that witnesses signed for sequences in [from, end). A quorum names every text that the threshold signed;
 * only all witnesses tell how many signed it. Rejects with `threshold_not_met` if fewer than the threshold answer.
 */
export async function learnRounds(
  pool: WitnessPool,
  { from, end, asksAll }: {
    readonly from: number;
    readonly end: number;
    readonly asksAll: boolean;
  },
  signal: AbortSignal,
): Promise<LearnedRounds> {
  const wanted = asksAll ? pool.witnesses.length : pool.threshold;
  const answers = await pool.ask(wanted, async (client, limit) => {
    const rounds: RoundText[] = [];
    for (let at = from; at < end;) {
      const page = (await client.roundsFrom(at, limit)).filter(hasRoundSize);
      const next = page.reduce((next, { first, size }) => Math.max(next, first + size), at);
      if (next === at) break;
      rounds.push(...page);
      at = next;
    }
    return rounds;
  }, signal);
  const learned = new Map<string, LearnedRound>();
  const beyond = new Map<number, number>();
  for (const [witnessIndex, rounds] of answers) {
    const keys = new Map(rounds.map((text) => [keyOf(text), text]));
    for (const [key, text] of keys) {
      const known = learned.get(key) ?? { text, signers: 0 };
      known.signers++;
      learned.set(key, known);
      const last = text.first + text.size;
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

/** A witness that lies names any size; no message can be written for another one. */
function hasRoundSize({ size }: RoundText): boolean {
  return size >= 1 && size <= MAX_ROUND_SIZE;
}

function keyOf({ first, size, timestamp, beacon, root }: RoundText): string {
  return [first, size, timestamp, beacon?.round, beacon?.signature, root.toHex()].join(" ");
}
