/**
 * What the events of a log are made from, declared by what tells them: the log itself, the list of
 * its anchors, and the order in which different lists were told.
 *
 * @module
 */

import type { EventPlace } from "./event_place.ts";
import type { Batch } from "../format/bundle.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";

/** Types of events (protocol.md "Events"). */
export const EVENT_TYPES = [
  "attestation.accepted",
  "attestation.confirmed",
  "batch.closed",
  "sth.published",
  "cross_anchor.added",
  "external_anchor.added",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** What happened to one digest, at a time in Unix seconds. */
export interface DigestEvent {
  /** 64 lowercase hex. */
  readonly hash: string;
  readonly at: number;
}

/** A published head as events tell of it. */
export interface PublishedHead {
  readonly size: number;
  sth(): SignedTreeHead;
  batch(): Promise<Batch>;
}

/** The log. Reading rejects with `storage_failed` or `store_corrupt`. */
export interface EventLog {
  readonly networkId: string;
  /** Sequence after the last digest on disk. */
  readonly accepted: number;
  /** Sequence after the last one that is confirmed, as are all before it. */
  readonly confirmed: number;
  /** Size of the latest published head; 0 of none. */
  readonly published: number;
  /** Of accepted sequences [start, end). */
  acceptances(start: number, end: number): Promise<readonly DigestEvent[]>;
  /** Of confirmed sequences [start, end). */
  confirmations(start: number, end: number): Promise<readonly DigestEvent[]>;
  /** The published head of smallest size above `size`. */
  headAbove(size: number): Promise<PublishedHead | undefined>;
  /** Size of the largest published head of at most `size`; 0 of none. */
  publishedUpTo(size: number): Promise<number>;
  /** The sequence of an accepted and durable hash. */
  sequenceOf(hash: string): Promise<number | undefined>;
  /** Calls `listener` after each step of the log until `signal` aborts. */
  onProgress(listener: () => void, signal: AbortSignal): void;
}

/** An anchor as it was added. */
export interface ListedAnchor {
  readonly type: "cross_anchor.added" | "external_anchor.added";
  /** Unix seconds, as the peer or the service says. */
  readonly at: number;
  /** JSON of the event's data. */
  readonly data: string;
}

/** Anchors in the order in which they were added. Write-once, and without limit. */
export interface AnchorList {
  /** How many are durable. */
  readonly length: number;
  /** Those of places [start, end). Rejects with `storage_failed` or `store_corrupt`. */
  list(start: number, end: number): Promise<readonly ListedAnchor[]>;
  /** Calls `listener` after each that became durable until `signal` aborts. */
  onAdded(listener: () => void, signal: AbortSignal): void;
}

/**
 * Cuts: places up to which everything was told before anything beyond, ascending in every list.
 * Methods reject with `storage_failed` or `store_corrupt`; one writer calls them in turn.
 */
export interface EventCuts {
  readonly length: number;
  at(index: number): Promise<EventPlace>;
  /** Durable once resolved. */
  append(cut: EventPlace): Promise<void>;
  /** Forgets all from `length` on; durable once resolved. */
  truncate(length: number): Promise<void>;
}
