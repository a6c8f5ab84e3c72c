/**
 * Reports of when an attestation was signed: an interval, and for each end what says so and in whose
 * word it is.
 *
 * @module
 */

import { VERIFY_REASONS } from "../verify/reasons.ts";
import type { TimeBound, TimeBracket } from "../verify/time_bracket.ts";
import { timeText } from "./output.ts";

/** The interval, its sources, strictest first, and what is wrong with them. None of what is invalid. */
export function timeLines(
  { not_before, not_after, failed, contradictions }: TimeBracket,
): string[] {
  const [from] = not_before;
  const [to] = not_after;
  if (to === undefined) return [];
  const interval = from === undefined
    ? `until ${timeText(to.time)}; no beacon bounds it from below, only clocks vouch for it`
    : `from ${timeText(from.time)} to ${timeText(to.time)}`;
  return [
    `time bracket: ${interval}`,
    ...not_before.map((bound) => `  not before ${describeBound(bound)}`),
    ...not_after.map((bound) => `  not after ${describeBound(bound)}`),
    ...failed.map(({ source, reason }) => `  failed: ${source}: ${VERIFY_REASONS[reason]}`),
    ...contradictions.map(({ not_before: lower, not_after: upper }) =>
      `  contradiction: ${upper.source} of ${timeText(upper.time)} precedes ${lower.source} of ` +
      timeText(lower.time)
    ),
  ];
}

function describeBound({ time, source, word }: TimeBound): string {
  return `${timeText(time)}: ${source}, in the word of ${word}`;
}
