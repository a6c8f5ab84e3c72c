/**
 * What one reader missed, read from the log in chunks, as fast as the reader takes them.
 *
 * @module
 */

import { possibleTypes } from "./event_filter.ts";
import type { EventHistory } from "./event_history.ts";
import type { EventOrder } from "./event_order.ts";
import { type EventPlace, isUpTo, laterPlace } from "./event_place.ts";
import type { EventLog } from "./event_ports.ts";
import type { EventReader } from "./event_reader.ts";

/** What replays read. */
export interface ReplaySources {
  readonly log: EventLog;
  readonly history: EventHistory;
  readonly order: EventOrder;
}

/**
 * Sends `reader` what its filter lets by from `start` to `target`, which is a cut; answers where it
 * stands afterwards, which is `target` or beyond unless it has left.
 */
export async function replay(
  { log, history, order }: ReplaySources,
  reader: EventReader,
  start: EventPlace,
  target: EventPlace,
): Promise<EventPlace> {
  const { filter } = reader;
  const types = possibleTypes(filter);
  // Looked up after the target was known: what is found later was accepted beyond it.
  const sequence = filter.hash === undefined ? undefined : await log.sequenceOf(filter.hash);
  if (types.size === 0 || (filter.hash !== undefined && sequence === undefined)) {
    return laterPlace(start, target);
  }
  const wanted = { types, ...(sequence !== undefined && { sequence }) };
  let place = start;
  while (!reader.hasLeft && !isUpTo(target, place)) {
    if (sequence !== undefined) place = await skip(order, place, target, sequence);
    const cut = isUpTo(target, place) ? undefined : await order.after(place);
    if (cut === undefined || !isUpTo(cut, target)) return laterPlace(place, target);
    if (sequence !== undefined) place = laterPlace(place, await headsUpTo(log, cut, sequence));
    const chunk = await history.next(place, cut, wanted);
    await reader.replay(chunk.events);
    place = chunk.end;
  }
  return place;
}

/** After the heads before a cut that tell nothing of one sequence, of which there may be very many. */
async function headsUpTo(log: EventLog, cut: EventPlace, sequence: number): Promise<EventPlace> {
  const size = await log.publishedUpTo(Math.min(cut.heads, sequence));
  return { accepted: size, confirmed: size, batches: size, heads: size, anchors: 0 };
}

/** What tells nothing of one sequence is passed over, however long the log is. */
async function skip(
  order: EventOrder,
  place: EventPlace,
  target: EventPlace,
  sequence: number,
): Promise<EventPlace> {
  if (place.confirmed > sequence) return laterPlace(place, target);
  const list = place.accepted <= sequence ? "accepted" : "confirmed";
  const before = await order.before(list, sequence);
  return laterPlace(place, isUpTo(before, target) ? before : target);
}
