/**
 * The live readers of one filter, and the events that some of them have not been sent. Readers at the
 * same position share a page, which is encoded once; the longer a round through all readers takes, the
 * more events a page holds.
 *
 * @module
 */

import { RecentlyUsed } from "../../recently_used.ts";
import { EventPage, type LogEvent } from "./event_page.ts";
import type { EventFilter } from "./event_ports.ts";

/** Maximum events of a page, and the JSON length at which it ends early. */
const PAGE_EVENTS = 256;
const PAGE_LENGTH = 48 * 1024;
/** Pages kept for readers at the same position; most readers are at one of two. */
const KEPT_PAGES = 4;

/** A reader of a channel. Its methods do not throw. */
export interface ChannelReader {
  /** The position in the channel of the reader's next event. */
  readonly position: number;
  /** Called after `count` events were appended. */
  notify(count: number): void;
}

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

  /** Appends `events`, notifies all readers, and drops events that all readers have been sent. */
  append(events: readonly LogEvent[]): void {
    this.#dropSent();
    for (const event of events) this.#events.push(event);
    for (const reader of this.#readers) reader.notify(events.length);
  }

  /** The next events at a reader's position; `undefined` at the end. */
  pageAt(position: number): EventPage | undefined {
    if (position === this.end) return undefined;
    this.#pages ??= new RecentlyUsed(KEPT_PAGES);
    const kept = this.#pages.get(position);
    if (kept !== undefined) return kept;
    const start = position - this.#first;
    const limit = Math.min(this.#events.length, start + PAGE_EVENTS);
    let to = start;
    for (let length = 0; to < limit && length < PAGE_LENGTH; to++) {
      length += this.#events[to]!.json.length;
    }
    const page = new EventPage(this.#events.slice(start, to));
    this.#pages.set(position, page);
    return page;
  }

  #dropSent(): void {
    let first = this.end;
    for (const { position } of this.#readers) first = Math.min(first, position);
    if (first === this.end) this.#pages = undefined;
    if (first > this.#first) this.#events.splice(0, first - this.#first);
    this.#first = first;
  }
}
