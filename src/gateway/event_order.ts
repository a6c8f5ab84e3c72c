/**
 * Where the one order of events is cut: everything up to a cut is told before anything beyond it. The
 * lists of a log grow side by side, and what is stored of it does not say which grew first; a cut that
 * is durable before anything beyond it is told does. Without readers none is made.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { type EventPlace, FIRST_PLACE, isSamePlace, isUpTo } from "./event_place.ts";
import type { EventCuts } from "./event_ports.ts";

/** The cuts of one log. */
export class EventOrder {
  readonly #cuts: EventCuts;
  #last: EventPlace;

  private constructor(cuts: EventCuts, last: EventPlace) {
    this.#cuts = cuts;
    this.#last = last;
  }

  /**
   * Goes on from the stored cuts. Those of a log that went further than `now`, before an old copy of
   * it took its place, are forgotten.
   */
  static async open(cuts: EventCuts, now: EventPlace): Promise<EventOrder> {
    const length = await firstWhere(cuts, (cut) => !isUpTo(cut, now));
    if (length < cuts.length) await cuts.truncate(length);
    return new EventOrder(cuts, length === 0 ? FIRST_PLACE : await cuts.at(length - 1));
  }

  /** The last cut; before every event when there is none. */
  get last(): EventPlace {
    return this.#last;
  }

  /** Cuts at `place`, which is not before the last cut. Calls follow one another. */
  async cut(place: EventPlace): Promise<void> {
    if (isSamePlace(place, this.#last)) return;
    if (!isUpTo(this.#last, place)) {
      throw new CountersignError(
        "store_corrupt",
        "Cannot order events: a log that grows required, found one that shrank",
      );
    }
    await this.#cuts.append(place);
    this.#last = place;
  }

  /**
   * The first cut that is beyond `place` in any list, and its index; `undefined` when none is. Found
   * soon where it is at `near` or not far behind.
   */
  async after(place: EventPlace, near = 0): Promise<IndexedCut | undefined> {
    const index = await firstWhere(this.#cuts, (cut) => !isUpTo(cut, place), near);
    return index < this.#cuts.length ? { index, cut: await this.#cuts.at(index) } : undefined;
  }

  /**
   * The last cut after which `list` does not reach beyond `count`, or before every event: what lies
   * below it says nothing of the place after `count` in that list.
   */
  async before(list: "accepted" | "confirmed", count: number): Promise<EventPlace> {
    const index = await firstWhere(this.#cuts, (cut) => cut[list] > count);
    return index === 0 ? FIRST_PLACE : await this.#cuts.at(index - 1);
  }
}

/** A cut, and which one it is. */
export interface IndexedCut {
  readonly index: number;
  readonly cut: EventPlace;
}

/**
 * The first index, from `low` on, at which `holds`, which holds from there on; the length when it
 * holds nowhere. Looks ahead in steps that double, and then between the last two.
 */
async function firstWhere(
  cuts: EventCuts,
  holds: (cut: EventPlace) => boolean,
  low = 0,
): Promise<number> {
  let high = low;
  for (let step = 1; high < cuts.length && !holds(await cuts.at(high)); step *= 2) {
    low = high + 1;
    high = Math.min(low + step, cuts.length);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(await cuts.at(middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}
