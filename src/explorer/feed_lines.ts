/**
 * The lists of events: the latest ones and the shown ones. The shown list does not move while the
 * pointer is over it, so that a click hits the line that was pressed.
 *
 * @module
 */

import type { FeedEvent } from "./feed_event.ts";

/** Both latest first. */
export interface FeedLines {
  readonly latest: readonly FeedEvent[];
  readonly shown: readonly FeedEvent[];
}

export const NO_LINES: FeedLines = { latest: [], shown: [] };

/** Adds events, latest last, and keeps `limit`. */
export function addLines(
  { latest, shown }: FeedLines,
  added: readonly FeedEvent[],
  limit: number,
): FeedLines {
  return { latest: mergeEvents(latest, added, limit), shown };
}

/** Shows the latest lines, unless `isHeld`. */
export function drawLines(lines: FeedLines, isHeld: boolean): FeedLines {
  if (lines.shown === lines.latest || (isHeld && lines.shown.length > 0)) return lines;
  return { latest: lines.latest, shown: lines.latest };
}

/** How many of the latest lines are not shown. */
export function newLines({ latest, shown }: FeedLines): number {
  return latest.filter((event) => !shown.includes(event)).length;
}

/**
 * The latest `limit` events of `added`, latest last, and `shown`, latest first. A polled head and its
 * event have different ids and the same text; only one is listed.
 */
export function mergeEvents(
  shown: readonly FeedEvent[],
  added: readonly FeedEvent[],
  limit: number,
): readonly FeedEvent[] {
  const known = new Set(shown.flatMap(namesOf));
  const fresh = added.filter((event) => {
    const names = namesOf(event);
    if (names.some((name) => known.has(name))) return false;
    for (const name of names) known.add(name);
    return true;
  });
  return [...fresh.toReversed(), ...shown].slice(0, limit);
}

function namesOf({ id, type, at, text }: FeedEvent): string[] {
  return [id, `${type} ${at} ${text}`];
}
