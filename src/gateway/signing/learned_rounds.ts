/**
 * What the witnesses signed and the store does not have, after a crash, a take-over or the loss of the
 * newest part of the store: the gateway proposes exactly that again. Any quorum shares an honest witness
 * with the threshold that signed a round, so the answers of any quorum name every such round.
 *
 * @module
 */

import {
  MAX_SECONDS_BEHIND,
  MAX_SECONDS_VOUCHED,
  type RoundText,
  vouchersNeeded,
} from "../../format/witness_request.ts";
import type { WitnessPool } from "./witness_pool.ts";

/** A text, and how many witnesses say that they signed it. */
interface LearnedRound {
  readonly text: RoundText;
  signers: number;
}

/**
 * The texts that witnesses signed for sequences in [from, end), the one with the most signers first. Rejects
 * with `threshold_not_met` if fewer than the threshold answer.
 */
export async function learnRounds(
  pool: WitnessPool,
  { from, end }: { readonly from: number; readonly end: number },
  signal: AbortSignal,
): Promise<readonly LearnedRound[]> {
  const answers = await pool.askQuorum(async (client, limit) => {
    const rounds: RoundText[] = [];
    for (let at = from; at < end;) {
      const page = await client.roundsFrom(at, limit);
      const next = page.reduce((next, { first, size }) => Math.max(next, first + size), at);
      if (next === at) break;
      rounds.push(...page);
      at = next;
    }
    return rounds;
  }, signal);
  const learned = new Map<string, LearnedRound>();
  for (const rounds of answers) {
    const keys = new Map(rounds.map((text) => [keyOf(text), text]));
    for (const [key, text] of keys) {
      const known = learned.get(key) ?? { text, signers: 0 };
      known.signers++;
      learned.set(key, known);
    }
  }
  return [...learned.values()].sort((a, b) =>
    b.signers - a.signers || a.text.timestamp - b.text.timestamp
  );
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

function keyOf({ first, size, timestamp, beacon, root }: RoundText): string {
  return [first, size, timestamp, beacon?.round, beacon?.signature, root.toHex()].join(" ");
}
