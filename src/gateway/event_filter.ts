/**
 * Which events somebody asks for: of some types, or of one hash, or both.
 *
 * @module
 */

import { EVENT_TYPES, type EventType } from "./event_ports.ts";

/** The types that tell of one hash, and the only ones that are told to who asks for a hash. */
export const HASH_EVENT_TYPES = ["attestation.accepted", "attestation.confirmed"] as const;

/** What is asked for. */
export interface EventFilter {
  readonly types: ReadonlySet<EventType>;
  /** 64 lowercase hex. */
  readonly hash?: string;
}

/** Everything. */
export const ALL_EVENTS: EventFilter = { types: new Set(EVENT_TYPES) };

/** What has to be read for somebody: of digests, perhaps of one alone. */
export interface WantedEvents {
  readonly types: ReadonlySet<EventType>;
  /** Of events about a digest, only those of this sequence. */
  readonly sequence?: number;
}

/** The types that can come of `filter`. */
export function possibleTypes({ types, hash }: EventFilter): ReadonlySet<EventType> {
  if (hash === undefined) return types;
  return new Set(HASH_EVENT_TYPES.filter((type) => types.has(type)));
}
