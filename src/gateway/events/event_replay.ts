/**
 * Replays the events that one reader missed, page by page. Each page is charged to the client, then
 * read in the client's turn; the next one follows when the reader has room.
 *
 * @module
 */

import type { Clock } from "../../clock.ts";
import type { FairTurns } from "../../fair_turns.ts";
import type { EventHistory } from "./event_history.ts";
import { EventPage } from "./event_page.ts";
import { type EventPosition, isAtMost } from "./event_position.ts";
import type { EventLog } from "./event_ports.ts";
import type { EventReader } from "./event_reader.ts";

export interface ReplayContext {
  readonly log: EventLog;
  readonly history: EventHistory;
  readonly clock: Clock;
  /** Shared by all replays of a feed. */
  readonly turns: FairTurns;
}

/** Sends `reader` its events between `start` and `target`; returns its position afterwards. */
export async function replay(
  { log, history, clock, turns }: ReplayContext,
  reader: EventReader,
  start: EventPosition,
  target: EventPosition,
): Promise<EventPosition> {
  const { filter: { types, hash }, client } = reader;
  const sequence = hash === undefined ? undefined : await log.sequenceOf(hash);
  // A hash that is unknown by now is accepted beyond `target`.
  if (hash !== undefined && sequence === undefined) return target;
  const wanted = { types, sequence };
  let position = start;
  while (!isAtMost(target, position)) {
    const weight = history.weight(position, target, wanted);
    await charge(reader, weight, clock);
    if (reader.hasLeft) break;
    position = await turns.run(client.owner, async (turn) => {
      if (reader.hasLeft) return position;
      const { events, end } = await history.read(position, target, wanted, weight, turn.pause);
      if (events.length > 0) reader.send(new EventPage(events));
      return end;
    });
    await reader.room();
    if (reader.hasLeft) break;
  }
  return position;
}

/** Resolves when the client is charged, or the reader has left. */
async function charge(reader: EventReader, weight: number, clock: Clock): Promise<void> {
  while (!reader.hasLeft) {
    const waitMs = reader.client.charge(weight);
    if (waitMs <= 0) return;
    await clock.sleep(waitMs, reader.leaving);
  }
}
