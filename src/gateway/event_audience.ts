/**
 * Routes events to the channels whose filters they pass. An event costs nothing for the readers of
 * other types or other hashes.
 *
 * @module
 */

import { type ChannelReader, EventChannel } from "./event_channel.ts";
import type { LogEvent } from "./event_page.ts";
import { EVENT_TYPES, type EventFilter, type EventType } from "./event_ports.ts";

export interface FilteredReader extends ChannelReader {
  readonly filter: EventFilter;
}

/** All readers of one feed. */
export class EventAudience {
  readonly #channels = new Map<string, EventChannel>();
  readonly #byType = new Map<EventType, Set<EventChannel>>();
  readonly #byHash = new Map<string, Set<EventChannel>>();
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
    const key = keyOf(filter);
    let channel = this.#channels.get(key);
    if (channel === undefined) {
      this.#channels.set(key, channel = new EventChannel(filter));
      if (filter.hash !== undefined) insert(this.#byHash, filter.hash, channel);
      else for (const type of filter.types) insert(this.#byType, type, channel);
    }
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
    const key = keyOf(filter);
    const channel = this.#channels.get(key);
    channel?.remove(reader);
    if (channel === undefined || !channel.isEmpty) return;
    this.#channels.delete(key);
    if (filter.hash !== undefined) return withdraw(this.#byHash, filter.hash, channel);
    for (const type of filter.types) withdraw(this.#byType, type, channel);
  }

  /** Appends each event to the channels whose filters it passes. */
  emit(events: readonly LogEvent[]): void {
    const passed = new Map<EventChannel, LogEvent[]>();
    const pass = (channel: EventChannel, event: LogEvent) => {
      const list = passed.get(channel);
      if (list === undefined) passed.set(channel, [event]);
      else list.push(event);
    };
    for (const event of events) {
      for (const channel of this.#byType.get(event.type) ?? []) pass(channel, event);
      if (event.hash === undefined) continue;
      for (const channel of this.#byHash.get(event.hash) ?? []) {
        if (channel.filter.types.has(event.type)) pass(channel, event);
      }
    }
    for (const [channel, events] of passed) channel.append(events);
  }
}

/** The same text for filters that pass the same events. */
function keyOf({ types, hash = "" }: EventFilter): string {
  return EVENT_TYPES.filter((type) => types.has(type)).join() + hash;
}

function insert<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

function withdraw<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
