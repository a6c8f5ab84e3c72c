/**
 * Routes events to the channels whose filters they pass. A filter by hash costs nothing for events
 * about other hashes.
 *
 * @module
 */

import { type ChannelReader, EventChannel } from "./event_channel.ts";
import type { LogEvent } from "./event_page.ts";
import { EVENT_TYPES, type EventFilter, type EventType } from "./event_ports.ts";

export interface FilteredReader extends ChannelReader {
  readonly filter: EventFilter;
}

/** Channels by their types. */
type Channels = Map<string, EventChannel>;

/** All readers of one feed. */
export class EventAudience {
  /** Channels by hash; those without a filter by hash under `undefined`. */
  readonly #channels = new Map<string | undefined, Channels>();
  readonly #expected = new Set<FilteredReader>();
  /** Number of expected and live readers of each type. */
  readonly #interest = new Map<EventType, number>();

  /** The types that an expected or live reader wants. */
  get types(): ReadonlySet<EventType> {
    return new Set(this.#interest.keys());
  }

  /** Announces a reader that replays before it becomes live. */
  expect(reader: FilteredReader): void {
    this.#expected.add(reader);
    for (const type of reader.filter.types) {
      this.#interest.set(type, (this.#interest.get(type) ?? 0) + 1);
    }
  }

  /** Makes an expected reader live; returns the channel of its next events. */
  add(reader: FilteredReader): EventChannel {
    const { filter } = reader;
    const channels = this.#channels.getOrInsertComputed(filter.hash, () => new Map());
    const channel = channels.getOrInsertComputed(keyOf(filter), () => new EventChannel(filter));
    channel.add(reader);
    return channel;
  }

  /** Removes an expected or live reader. */
  remove(reader: FilteredReader): void {
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
