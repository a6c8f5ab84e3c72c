/**
 * Readers that want the same events, and the events that some of them have not been sent. Each reader
 * stands at a position in the channel. Readers at the same position are sent the same page, whose
 * bytes are made once; the longer a round through all readers takes, the more events a page holds.
 *
 * @module
 */

import { RecentlyUsed } from "../recently_used.ts";
import type { EventFilter } from "./event_filter.ts";
import { EventPage } from "./event_page.ts";
import type { LogEvent } from "./event_text.ts";

/** Events of a page, and characters of their JSON from which on no further event is added. */
const PAGE_EVENTS = 256;
const PAGE_LENGTH = 48 * 1024;
/** Pages kept for readers at the same position: most are at one of two. */
const KEPT_PAGES = 4;

/** A reader of a channel. Its methods do not throw. */
export interface ChannelReader {
  /** The reader's position: it has been sent all events before it. */
  readonly position: number;
  /** Called when events wait for the reader, `newest` of which are new. */
  told(newest: number): void;
}

/** See the module. */
export class EventChannel {
  readonly filter: EventFilter;
  readonly #readers = new Set<ChannelReader>();
  #events: LogEvent[] = [];
  /** Position of the first of these events. */
  #first = 0;
  #pages: RecentlyUsed<number, EventPage> | undefined;

  constructor(filter: EventFilter) {
    this.filter = filter;
  }

  /** Position after the last event. */
  get end(): number {
    return this.#first + this.#events.length;
  }

  get isEmpty(): boolean {
    return this.#readers.size === 0;
  }

  add(reader: ChannelReader): void {
    this.#readers.add(reader);
  }

  remove(reader: ChannelReader): void {
    this.#readers.delete(reader);
  }

  /** Adds `events`, notifies all readers, and drops events that all of them have been sent. */
  tell(events: readonly LogEvent[]): void {
    this.#forget();
    for (const event of events) this.#events.push(event);
    for (const reader of this.#readers) reader.told(events.length);
  }

  /** The next events at a position that a reader of the channel has; `undefined` at the end. */
  pageAt(position: number): EventPage | undefined {
    if (position === this.end) return undefined;
    this.#pages ??= new RecentlyUsed(KEPT_PAGES);
    const kept = this.#pages.get(position);
    if (kept !== undefined) return kept;
    const start = position - this.#first;
    const most = Math.min(this.#events.length, start + PAGE_EVENTS);
    let to = start;
    for (let length = 0; to < most && length < PAGE_LENGTH; to++) {
      length += this.#events[to]!.json.length;
    }
    const page = new EventPage(this.#events.slice(start, to));
    this.#pages.set(position, page);
    return page;
  }

  #forget(): void {
    let least = this.end;
    for (const { position } of this.#readers) least = Math.min(least, position);
    if (least === this.end) this.#pages = undefined;
    if (least > this.#first) this.#events.splice(0, least - this.#first);
    this.#first = least;
  }
}
