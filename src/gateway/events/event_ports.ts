/**
 * Types of events, filters, the lists that events are read from, and positions in these lists. The text
 * form of a position is the cursor (protocol.md "Events"):
 *
 *     v1.<accepted>.<confirmed>.<batches>.<heads>.<anchors>
 *
 * A cursor counts the events of each list that its reader has received, in canonical decimals. Every
 * list is append-only and durable before its events are emitted, so cursors never expire.
 *
 * @module
 */

import { integerOf } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { Batch } from "../../proof/format/bundle.ts";
import type { SignedTreeHead } from "../../proof/format/tree_head.ts";

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

/** Types of events about one hash: a filter by hash lets only these pass. */
export const HASH_EVENT_TYPES: ReadonlySet<EventType> = new Set(
  ["attestation.accepted", "attestation.confirmed"],
);

export interface EventFilter {
  readonly types: ReadonlySet<EventType>;
  /** 64 lowercase hex. */
  readonly hash?: string;
}

export const ALL_EVENTS: EventFilter = { types: new Set(EVENT_TYPES) };

/** An event about one digest, at a time in Unix seconds. */
export interface DigestEvent {
  /** 64 lowercase hex. */
  readonly hash: string;
  readonly at: number;
}

export interface PublishedHead {
  readonly size: number;
  sth(): SignedTreeHead;
  batch(): Promise<Batch>;
}

/** The durable lists of a log. Reads reject with `storage_failed` or `store_corrupt`. */
export interface EventLog {
  readonly networkId: string;
  /** Sequence after the last digest on disk. */
  readonly accepted: number;
  /** Sequence after the contiguous confirmed prefix. */
  readonly confirmed: number;
  /** Size of the latest published head; 0 before the first. */
  readonly published: number;
  /** Accepted sequences [start, end). */
  acceptances(start: number, end: number): Promise<readonly DigestEvent[]>;
  /** Confirmed sequences [start, end). */
  confirmations(start: number, end: number): Promise<readonly DigestEvent[]>;
  /** The smallest published head larger than `size`. */
  headAbove(size: number): Promise<PublishedHead | undefined>;
  /** The sequence of a durable hash. */
  sequenceOf(hash: string): Promise<number | undefined>;
  /** Calls `listener` whenever a list grows, until `signal` aborts. */
  onProgress(listener: () => void, signal: AbortSignal): void;
}

export interface ListedAnchor {
  readonly type: "cross_anchor.added" | "external_anchor.added";
  /** Unix seconds, as the peer or the service states it. */
  readonly at: number;
  /** JSON of the event's data. */
  readonly data: string;
}

/** Anchors in the order in which they were added: append-only and unbounded. */
export interface AnchorList {
  /** Number of durable anchors. */
  readonly length: number;
  /** Anchors [start, end). Rejects with `storage_failed` or `store_corrupt`. */
  list(start: number, end: number): Promise<readonly ListedAnchor[]>;
  /** Calls `listener` whenever an anchor becomes durable, until `signal` aborts. */
  onAdded(listener: () => void, signal: AbortSignal): void;
}

/** A position in each list of the log. */
export interface EventPosition {
  /** Sequence after the last accepted digest. */
  readonly accepted: number;
  /** Sequence after the last attestation of the contiguous confirmed prefix. */
  readonly confirmed: number;
  /** Tree size of the last closed batch; 0 before the first. */
  readonly batches: number;
  /** Tree size of the last published head; 0 before the first. */
  readonly heads: number;
  /** Number of anchors. */
  readonly anchors: number;
}

/** The position before every event. */
export const START_POSITION: EventPosition = {
  accepted: 0,
  confirmed: 0,
  batches: 0,
  heads: 0,
  anchors: 0,
};

const VERSION = "v1";
const LISTS = 5;

export function encodeCursor(position: EventPosition): string {
  const { accepted, confirmed, batches, heads, anchors } = position;
  return `${VERSION}.${accepted}.${confirmed}.${batches}.${heads}.${anchors}`;
}

/** Throws `malformed_parameter` for any text that {@linkcode encodeCursor} cannot return. */
export function parseCursor(text: string): EventPosition {
  const [version, ...parts] = text.split(".", LISTS + 2);
  const counts = parts.map(integerOf);
  const [accepted, confirmed, batches, heads, anchors] = counts;
  if (
    version !== VERSION || counts.length !== LISTS || accepted === undefined ||
    confirmed === undefined || batches === undefined || heads === undefined ||
    anchors === undefined || confirmed > accepted || batches > confirmed || heads > batches
  ) {
    throw new CountersignError(
      "malformed_parameter",
      "Malformed cursor; use the id of an event or the cursor of a hello frame",
    );
  }
  return { accepted, confirmed, batches, heads, anchors };
}

/** True when `a` is not beyond `b` in any list. */
export function isAtMost(a: EventPosition, b: EventPosition): boolean {
  return a.accepted <= b.accepted && a.confirmed <= b.confirmed && a.batches <= b.batches &&
    a.heads <= b.heads && a.anchors <= b.anchors;
}
