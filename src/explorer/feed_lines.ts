/**
 * The lines of a list of events: the latest ones, and those on show. A list that its reader points at
 * stands still, or a line would move away between the press and the release of a click.
 *
 * @module
 */

import { type FeedEvent, mergeEvents } from "./feed_event.ts";

/** Both latest first. */
export interface FeedLines {
  readonly latest: readonly FeedEvent[];
  readonly shown: readonly FeedEvent[];
}

export const NO_LINES: FeedLines = { latest: [], shown: [] };

/** `lines` with `added`, latest last, and no more than `limit` of them. */
export function addLines(
  { latest, shown }: FeedLines,
  added: readonly FeedEvent[],
  limit: number,
): FeedLines {
  return { latest: mergeEvents(latest, added, limit), shown };
}

/** `lines` as they are drawn: those on show stay where `isHeld`. */
export function drawLines(lines: FeedLines, isHeld: boolean): FeedLines {
  if (lines.shown === lines.latest || (isHeld && lines.shown.length > 0)) return lines;
  return { latest: lines.latest, shown: lines.latest };
}

/** How many of the latest are not on show. */
export function newLines({ latest, shown }: FeedLines): number {
  return latest.filter((event) => !shown.includes(event)).length;
}
