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

  /** The first cut that is beyond `place` in any list; `undefined` when none is. */
  async after(place: EventPlace): Promise<EventPlace | undefined> {
    return await this.#firstOf((cut) => !isUpTo(cut, place));
  }

  /**
   * The last cut after which `list` does not reach beyond `count`, or before every event: what lies
   * below it says nothing of the place after `count` in that list.
   */
  async before(list: "accepted" | "confirmed", count: number): Promise<EventPlace> {
    const index = await firstWhere(this.#cuts, (cut) => cut[list] > count);
    return index === 0 ? FIRST_PLACE : await this.#cuts.at(index - 1);
  }

  async #firstOf(holds: (cut: EventPlace) => boolean): Promise<EventPlace | undefined> {
    const index = await firstWhere(this.#cuts, holds);
    return index < this.#cuts.length ? await this.#cuts.at(index) : undefined;
  }
}

/** The first index at which `holds`, which holds from there on; the length when it holds nowhere. */
async function firstWhere(
  cuts: EventCuts,
  holds: (cut: EventPlace) => boolean,
): Promise<number> {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(await cuts.at(middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}
