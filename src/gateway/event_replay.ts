/**
 * Reads the events that one reader missed, page by page. Each page is charged to the client, then
 * read in the client's turn; the next one follows when the reader has room.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import type { FairTurns, Turn } from "../fair_turns.ts";
import { possibleTypes, type WantedEvents } from "./event_filter.ts";
import { type EventHistory, PAGE_WEIGHT } from "./event_history.ts";
import type { EventOrder } from "./event_order.ts";
import { EventPage } from "./event_page.ts";
import { type EventPlace, isUpTo, laterPlace } from "./event_place.ts";
import type { EventLog } from "./event_ports.ts";
import type { EventReader } from "./event_reader.ts";
import type { LogEvent } from "./event_text.ts";

/** What a step weighs beside what it reads, in events about digests. */
const STEP_WEIGHT = 1;

/** What replays work with. */
export interface ReplayContext {
  readonly log: EventLog;
  readonly history: EventHistory;
  readonly order: EventOrder;
  readonly clock: Clock;
  /** All replays of a feed share the thread by these. */
  readonly turns: FairTurns;
}

/**
 * Sends `reader` what its filter lets by from `start` to `target`, which is a cut; answers where it
 * stands afterwards, which is `target` or beyond unless it has left.
 */
export async function replay(
  context: ReplayContext,
  reader: EventReader,
  start: EventPlace,
  target: EventPlace,
): Promise<EventPlace> {
  const { filter, client: { owner } } = reader;
  const types = possibleTypes(filter);
  // Looked up after the target was known: what is found later was accepted beyond it.
  const sequence = filter.hash === undefined
    ? undefined
    : await context.log.sequenceOf(filter.hash);
  if (types.size === 0 || (filter.hash !== undefined && sequence === undefined)) {
    return laterPlace(start, target);
  }
  const wanted = { types, ...(sequence !== undefined && { sequence }) };
  const pages = new ReplayPages(context, wanted, target);
  let place = start;
  while (!isUpTo(target, place)) {
    const weight = context.history.weightBetween(place, target, wanted, PAGE_WEIGHT);
    await charge(reader, weight, context.clock);
    if (reader.hasLeft) break;
    place = await context.turns.run(owner, async (turn) => {
      if (reader.hasLeft) return place;
      const { events, end } = await pages.next(place, weight, turn);
      if (events.length > 0) reader.replay(new EventPage(events));
      return end;
    });
    await reader.room();
    if (reader.hasLeft) break;
  }
  return place;
}

/** Resolves when the client of `reader` has been charged, as soon as its budget has room. */
async function charge(reader: EventReader, weight: number, clock: Clock): Promise<void> {
  while (!reader.hasLeft) {
    const waitMs = reader.client.charge(weight);
    if (waitMs <= 0) return;
    await clock.sleep(waitMs, reader.leaving);
  }
}

/** Reads the pages of one replay. */
class ReplayPages {
  readonly #context: ReplayContext;
  readonly #wanted: WantedEvents;
  readonly #target: EventPlace;
  /** The index of the cut that the last page ended at or before. */
  #index = 0;

  constructor(context: ReplayContext, wanted: WantedEvents, target: EventPlace) {
    this.#context = context;
    this.#wanted = wanted;
    this.#target = target;
  }

  /** The events from `place` on that together weigh `most` or little more, and the place after them. */
  async next(
    place: EventPlace,
    most: number,
    turn: Turn,
  ): Promise<{ readonly events: readonly LogEvent[]; readonly end: EventPlace }> {
    const { log, history, order } = this.#context;
    const { sequence } = this.#wanted;
    const target = this.#target;
    const events: LogEvent[] = [];
    let end = place;
    for (let weight = 0; weight < most && !isUpTo(target, end);) {
      if (weight > 0) await turn.pause();
      if (sequence !== undefined) end = await skip(order, end, target, sequence);
      const found = isUpTo(target, end) ? undefined : await order.after(end, this.#index);
      if (found === undefined || !isUpTo(found.cut, target)) {
        return { events, end: laterPlace(end, target) };
      }
      this.#index = found.index;
      if (sequence !== undefined) {
        end = laterPlace(end, await headsUpTo(log, found.cut, sequence));
      }
      const chunk = await history.next(end, found.cut, this.#wanted, most - weight);
      events.push(...chunk.events);
      end = chunk.end;
      weight += chunk.weight + STEP_WEIGHT;
    }
    return { events, end };
  }
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
