/**
 * Who is told of which events. An event is looked up by its type and by its hash, so that telling it
 * costs nothing for those who asked for others.
 *
 * @module
 */

import { type EventFilter, possibleTypes } from "./event_filter.ts";
import type { EventType } from "./event_ports.ts";
import type { LogEvent } from "./event_text.ts";

/** Somebody who listens. Neither throws. */
export interface EventListener {
  readonly filter: EventFilter;
  tell(event: LogEvent): void;
}

/** All who listen to one feed. */
export class EventAudience<Listener extends EventListener> {
  readonly #byType = new Map<EventType, Set<Listener>>();
  readonly #byHash = new Map<string, Set<Listener>>();
  readonly #expected = new Set<Listener>();
  /** How many are expected that could be told of each type. */
  readonly #interest = new Map<EventType, number>();

  /** The types that somebody who is here or expected could be told of. */
  get types(): ReadonlySet<EventType> {
    return new Set(this.#interest.keys());
  }

  /** Somebody will be here who has to catch up first. */
  expect(listener: Listener): void {
    this.#expected.add(listener);
    for (const type of possibleTypes(listener.filter)) {
      this.#interest.set(type, (this.#interest.get(type) ?? 0) + 1);
    }
  }

  /** One who was expected is here. */
  add(listener: Listener): void {
    const { types, hash } = listener.filter;
    if (hash !== undefined) return insert(this.#byHash, hash, listener);
    for (const type of types) insert(this.#byType, type, listener);
  }

  /** One who was expected, and perhaps came, is not here any more. */
  remove(listener: Listener): void {
    if (!this.#expected.delete(listener)) return;
    const { types, hash } = listener.filter;
    for (const type of possibleTypes(listener.filter)) {
      const count = this.#interest.get(type)! - 1;
      if (count === 0) this.#interest.delete(type);
      else this.#interest.set(type, count);
    }
    if (hash !== undefined) return withdraw(this.#byHash, hash, listener);
    for (const type of types) withdraw(this.#byType, type, listener);
  }

  tell(event: LogEvent): void {
    const { type, hash } = event;
    for (const listener of this.#byType.get(type) ?? []) listener.tell(event);
    if (hash === undefined || this.#byHash.size === 0) return;
    for (const listener of this.#byHash.get(hash) ?? []) {
      if (listener.filter.types.has(type)) listener.tell(event);
    }
  }
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
