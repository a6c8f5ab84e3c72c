/**
 * Where a reader of events stands: how far each of five lists was told. All of them are the log's own
 * or are kept beside it, so that a place needs no copy of what was told.
 *
 *     v1.<accepted>.<confirmed>.<batches>.<heads>.<anchors>
 *
 * is the text of a place, the cursor of protocol.md "Events": canonical decimals. To clients it is
 * opaque.
 *
 * @module
 */

import { integerOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";

/** A place after the last event that was told of each list. */
export interface EventPlace {
  /** Sequence after the last accepted digest. */
  readonly accepted: number;
  /** Sequence after the last attestation that is confirmed, as are all before it. */
  readonly confirmed: number;
  /** Tree size of the last published head that was told as the end of its batch; 0 of none. */
  readonly batches: number;
  /** Tree size of the last published head that was told as a head; 0 of none. */
  readonly heads: number;
  /** How many anchors. */
  readonly anchors: number;
}

/** Before every event. */
export const FIRST_PLACE: EventPlace = {
  accepted: 0,
  confirmed: 0,
  batches: 0,
  heads: 0,
  anchors: 0,
};

const VERSION = "v1";
const MEMBERS = 5;

/** The cursor of `place`. */
export function encodeCursor(place: EventPlace): string {
  const { accepted, confirmed, batches, heads, anchors } = place;
  return `${VERSION}.${accepted}.${confirmed}.${batches}.${heads}.${anchors}`;
}

/** The place of a cursor; `malformed_parameter` of any text that no event can have. */
export function parseCursor(text: string): EventPlace {
  const [version, ...parts] = text.split(".", MEMBERS + 2);
  const counts = parts.map(integerOf);
  const [accepted, confirmed, batches, heads, anchors] = counts;
  if (
    version !== VERSION || counts.length !== MEMBERS || accepted === undefined ||
    confirmed === undefined || batches === undefined || heads === undefined ||
    anchors === undefined || confirmed > accepted || batches > confirmed || heads > batches
  ) {
    throw new CountersignError(
      "malformed_parameter",
      "Cannot read cursor: the id of an event required, found another text",
    );
  }
  return { accepted, confirmed, batches, heads, anchors };
}

/** True when all that was told at `earlier` was told at `later`. */
export function isUpTo(earlier: EventPlace, later: EventPlace): boolean {
  return earlier.accepted <= later.accepted && earlier.confirmed <= later.confirmed &&
    earlier.batches <= later.batches && earlier.heads <= later.heads &&
    earlier.anchors <= later.anchors;
}

/** True of one place. */
export function isSamePlace(a: EventPlace, b: EventPlace): boolean {
  return isUpTo(a, b) && isUpTo(b, a);
}

/** The first place at which all was told that was told at either. */
export function laterPlace(a: EventPlace, b: EventPlace): EventPlace {
  return {
    accepted: Math.max(a.accepted, b.accepted),
    confirmed: Math.max(a.confirmed, b.confirmed),
    batches: Math.max(a.batches, b.batches),
    heads: Math.max(a.heads, b.heads),
    anchors: Math.max(a.anchors, b.anchors),
  };
}
