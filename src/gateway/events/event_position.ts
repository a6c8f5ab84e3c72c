/**
 * Positions in the event stream and their text form, the cursor (protocol.md "Events"):
 *
 *     v1.<accepted>.<confirmed>.<batches>.<heads>.<anchors>
 *
 * A cursor counts the events of each list that its reader has received, in canonical decimals. Every
 * list is append-only and durable before its events are emitted, so cursors never expire.
 *
 * @module
 */

import { integerOf } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";

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
