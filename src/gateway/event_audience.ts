/**
 * Finds the readers of each event. Readers that want the same events share a channel; the channels
 * of an event are found by its type and by its hash, so that an event costs nothing for those who
 * asked for others.
 *
 * @module
 */

import { type ChannelReader, EventChannel } from "./event_channel.ts";
import { type EventFilter, possibleTypes } from "./event_filter.ts";
import { EVENT_TYPES, type EventType } from "./event_ports.ts";
import type { LogEvent } from "./event_text.ts";

/** A reader that says what it wants. */
export interface FilteredReader extends ChannelReader {
  readonly filter: EventFilter;
}

/** All who listen to one feed. */
export class EventAudience {
  readonly #channels = new Map<string, EventChannel>();
  readonly #byType = new Map<EventType, Set<EventChannel>>();
  readonly #byHash = new Map<string, Set<EventChannel>>();
  readonly #expected = new Set<FilteredReader>();
  /** How many readers that are expected or here want each type. */
  readonly #interest = new Map<EventType, number>();

  /** The types that a reader who is here or expected wants. */
  get types(): ReadonlySet<EventType> {
    return new Set(this.#interest.keys());
  }

  /** A reader is expected, and has to catch up first. */
  expect(reader: FilteredReader): void {
    this.#expected.add(reader);
    for (const type of possibleTypes(reader.filter)) {
      this.#interest.set(type, (this.#interest.get(type) ?? 0) + 1);
    }
  }

  /** An expected reader has caught up: returns the channel that sends its next events. */
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

  /** An expected or live reader has left. */
  remove(reader: FilteredReader): void {
    if (!this.#expected.delete(reader)) return;
    const { filter } = reader;
    for (const type of possibleTypes(filter)) {
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

  tell(events: readonly LogEvent[]): void {
    const told = new Map<EventChannel, LogEvent[]>();
    for (const event of events) {
      for (const channel of this.#byType.get(event.type) ?? []) insertLast(told, channel, event);
      if (event.hash === undefined || this.#byHash.size === 0) continue;
      for (const channel of this.#byHash.get(event.hash) ?? []) {
        if (channel.filter.types.has(event.type)) insertLast(told, channel, event);
      }
    }
    for (const [channel, events] of told) channel.tell(events);
  }
}

/** The same text for filters that match the same events. */
function keyOf({ types, hash = "" }: EventFilter): string {
  return EVENT_TYPES.filter((type) => types.has(type)).join() + hash;
}

function insert<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

function insertLast<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function withdraw<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
