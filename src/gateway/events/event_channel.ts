/**
 * Routes live events to readers by filter. The readers of one filter share a channel: the events that
 * some of them have not been sent. Readers at the same position share a page, which is encoded once; the
 * longer a round through all readers takes, the more events a page holds. A filter by hash costs nothing
 * for events about other hashes.
 *
 * @module
 */

import { EventPage, type LogEvent } from "./event_page.ts";
import { EVENT_TYPES, type EventFilter, type EventType } from "./event_ports.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";

/** Maximum events of a page, and the JSON length at which it ends early. */
const PAGE_EVENTS = 256;
const PAGE_LENGTH = 48 * 1024;
/** Pages kept for readers at the same position; most readers are at one of two. */
const KEPT_PAGES = 4;

/** A reader of a channel. Its methods do not throw. */
export interface ChannelReader {
  readonly filter: EventFilter;
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

/** Channels by their types. */
type Channels = Map<string, EventChannel>;

/** All readers of one feed. */
export class EventAudience {
  /** Channels by hash; those without a filter by hash under `undefined`. */
  readonly #channels = new Map<string | undefined, Channels>();
  readonly #expected = new Set<ChannelReader>();
  /** Number of expected and live readers of each type. */
  readonly #interest = new Map<EventType, number>();

  /** The types that an expected or live reader wants. */
  get types(): ReadonlySet<EventType> {
    return new Set(this.#interest.keys());
  }

  /** Announces a reader that replays before it becomes live. */
  expect(reader: ChannelReader): void {
    this.#expected.add(reader);
    for (const type of reader.filter.types) {
      this.#interest.set(type, (this.#interest.get(type) ?? 0) + 1);
    }
  }

  /** Makes an expected reader live; returns the channel of its next events. */
  add(reader: ChannelReader): EventChannel {
    const { filter } = reader;
    const channels = this.#channels.getOrInsertComputed(filter.hash, () => new Map());
    const channel = channels.getOrInsertComputed(keyOf(filter), () => new EventChannel(filter));
    channel.add(reader);
    return channel;
  }

  /** Removes an expected or live reader. */
  remove(reader: ChannelReader): void {
    if (!this.#expected.delete(reader)) return;
    const { filter } = reader;
    for (const type of filter.types) {
      const count = this.#interest.get(type)! - 1;
      if (count === 0) this.#interest.delete(type);
      else this.#interest.set(type, count);
    }
    const channels = this.#channels.get(filter.hash);
    const channel = channels?.get(keyOf(filter));
    channel?.remove(reader);
    if (channel?.isEmpty) channels!.delete(keyOf(filter));
    if (channels?.size === 0) this.#channels.delete(filter.hash);
  }

  /** Appends each event to the channels whose filters it passes. */
  emit(events: readonly LogEvent[]): void {
    const passed = new Map<EventChannel, LogEvent[]>();
    const pass = (channels: Channels | undefined, event: LogEvent) => {
      for (const channel of channels?.values() ?? []) {
        if (!channel.filter.types.has(event.type)) continue;
        const list = passed.get(channel);
        if (list === undefined) passed.set(channel, [event]);
        else list.push(event);
      }
    };
    for (const event of events) {
      pass(this.#channels.get(undefined), event);
      if (event.hash !== undefined) pass(this.#channels.get(event.hash), event);
    }
    for (const [channel, events] of passed) channel.append(events);
  }
}

/** The same text for filters of the same types. */
function keyOf({ types }: EventFilter): string {
  return EVENT_TYPES.filter((type) => types.has(type)).join();
}
