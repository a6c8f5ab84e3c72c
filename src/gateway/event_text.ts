/**
 * The text of an event (protocol.md "Events"), made once for all who are told of it.
 *
 *     {"id": cursor, "type", "at": Unix seconds, "data": {...}}
 *
 * @module
 */

import { encodeCursor, type EventPlace } from "./event_place.ts";
import type { EventType } from "./event_ports.ts";

/** One event. */
export interface LogEvent {
  readonly type: EventType;
  /** The cursor after it. */
  readonly id: string;
  readonly place: EventPlace;
  readonly json: string;
  /** Of an event about one hash: 64 lowercase hex. */
  readonly hash?: string;
}

/** The event after which a reader stands at `place`; `data` is JSON. */
export function eventOf(
  type: EventType,
  place: EventPlace,
  at: number,
  data: string,
  hash?: string,
): LogEvent {
  const id = encodeCursor(place);
  const json = `{"id":"${id}","type":"${type}","at":${at},"data":${data}}`;
  return { type, id, place, json, ...(hash !== undefined && { hash }) };
}
