/**
 * The one order of events, and its events read from the log. Between two cuts it is this: for each
 * published head all acceptances and then all confirmations below its size, the end of its batch, the
 * head; after the last head the remaining acceptances, the remaining confirmations, and the anchors.
 * What was told live and what is replayed are made by the same steps, and are the same.
 *
 * @module
 */

import { RecentlyUsed } from "../recently_used.ts";
import { type EventPlace, laterPlace } from "./event_place.ts";
import type { WantedEvents } from "./event_filter.ts";
import type { AnchorList, DigestEvent, EventLog, PublishedHead } from "./event_ports.ts";
import { eventOf, type LogEvent } from "./event_text.ts";

/** What a page may weigh: as much as so many events about digests, which are 60 KiB. */
export const PAGE_WEIGHT = 256;

/**
 * What a head or an anchor weighs, which are read one by one: reading it costs as much as reading so
 * many events about digests.
 */
export const SINGLE_WEIGHT = 32;

/** Heads kept for the next step of a replay: one head takes three steps. */
const KEPT_HEADS = 64;

/** Some events, and the place after them and after what was passed over. */
export interface EventChunk {
  readonly events: readonly LogEvent[];
  readonly end: EventPlace;
  /** What reading it has cost, in events about digests. */
  readonly weight: number;
}

type DigestList = "accepted" | "confirmed";

/** Reads events. It keeps no state for readers, so they may be at any position. */
export class EventHistory {
  readonly #log: EventLog;
  readonly #anchors: AnchorList | undefined;
  /** Published heads by the next smaller published size. */
  readonly #heads = new RecentlyUsed<number, PublishedHead>(KEPT_HEADS);

  constructor(log: EventLog, anchors: AnchorList | undefined) {
    this.#log = log;
    this.#anchors = anchors;
  }

  /** Where the log stands. */
  get now(): EventPlace {
    const { accepted, confirmed, published } = this.#log;
    const anchors = this.#anchors?.length ?? 0;
    return { accepted, confirmed, batches: published, heads: published, anchors };
  }

  /**
   * The most that reading `wanted` from `place` to `target` can weigh; `most` where it can be more. Of
   * one sequence only `SINGLE_WEIGHT` is said, whatever lies between.
   */
  weightBetween(
    place: EventPlace,
    target: EventPlace,
    { types, sequence }: WantedEvents,
    most: number,
  ): number {
    if (sequence !== undefined) return SINGLE_WEIGHT;
    let weight = SINGLE_WEIGHT *
      (target.heads - place.heads + target.anchors - place.anchors);
    if (types.has("attestation.accepted")) weight += target.accepted - place.accepted;
    if (types.has("attestation.confirmed")) weight += target.confirmed - place.confirmed;
    return Math.max(1, Math.min(weight, most));
  }

  /**
   * The next events of `wanted` from `place` on, no further than `cut`, which is after it, and of at
   * most about the weight `most`. Reads one thing, in which there may be nothing of `wanted`.
   */
  async next(
    place: EventPlace,
    cut: EventPlace,
    wanted: WantedEvents,
    most = PAGE_WEIGHT,
  ): Promise<EventChunk> {
    // Anchors come last: for them alone, heads need not be looked at.
    const start = wantsOfLog(wanted) ? place : laterPlace(place, { ...cut, anchors: 0 });
    const head = await this.#headIn(start, cut);
    if (head !== undefined && start.confirmed >= head.size) {
      return await this.#headEvents(start, head, wanted);
    }
    const limit = head === undefined ? cut : { accepted: head.size, confirmed: head.size };
    if (start.accepted < limit.accepted) {
      return await this.#digests("accepted", start, limit.accepted, wanted, most);
    }
    if (start.confirmed < limit.confirmed) {
      return await this.#digests("confirmed", start, limit.confirmed, wanted, most);
    }
    if (start.anchors < cut.anchors) return await this.#listed(start, cut.anchors, wanted, most);
    return { events: [], end: laterPlace(start, cut), weight: 0 };
  }

  async #headIn(place: EventPlace, cut: EventPlace): Promise<PublishedHead | undefined> {
    const told = Math.min(place.batches, place.heads);
    if (told >= cut.heads) return undefined;
    let head = this.#heads.get(told);
    if (head === undefined) {
      head = await this.#log.headAbove(told);
      if (head !== undefined) this.#heads.set(told, head);
    }
    return head !== undefined && head.size <= cut.heads ? head : undefined;
  }

  /** The end of the batch that `head` closes, unless `place` is after it, and the head. */
  async #headEvents(
    place: EventPlace,
    head: PublishedHead,
    { types }: WantedEvents,
  ): Promise<EventChunk> {
    const { size } = head;
    const closed = { ...place, batches: size };
    const end = { ...closed, heads: size };
    const events: LogEvent[] = [];
    const wantsBatch = types.has("batch.closed") && place.batches < size;
    if (wantsBatch || types.has("sth.published")) {
      const sth = head.sth();
      const { timestamp } = sth.tree_head;
      if (wantsBatch) {
        const batch = JSON.stringify(await head.batch());
        events.push(eventOf("batch.closed", closed, timestamp, batch));
      }
      if (types.has("sth.published")) {
        events.push(eventOf("sth.published", end, timestamp, JSON.stringify(sth)));
      }
    }
    return { events, end, weight: SINGLE_WEIGHT };
  }

  async #digests(
    list: DigestList,
    place: EventPlace,
    limit: number,
    { types, sequence }: WantedEvents,
    most: number,
  ): Promise<EventChunk> {
    const type = `attestation.${list}` as const;
    let [start, to] = [place[list], limit];
    if (sequence !== undefined) {
      start = Math.max(start, sequence);
      to = Math.min(to, sequence + 1);
    }
    if (!types.has(type) || start >= to) {
      return { events: [], end: { ...place, [list]: limit }, weight: 0 };
    }
    to = Math.min(to, start + Math.max(most, 1));
    const found: readonly DigestEvent[] = list === "accepted"
      ? await this.#log.acceptances(start, to)
      : await this.#log.confirmations(start, to);
    const events = found.map(({ hash, at }, i) => {
      const after = { ...place, [list]: start + i + 1 };
      // Hex and numbers: nothing needs escaping.
      return eventOf(type, after, at, `{"hash":"${hash}","sequence":${start + i}}`, hash);
    });
    return { events, end: { ...place, [list]: to }, weight: to - start };
  }

  async #listed(
    place: EventPlace,
    limit: number,
    { types }: WantedEvents,
    most: number,
  ): Promise<EventChunk> {
    const to = Math.min(limit, place.anchors + Math.ceil(most / SINGLE_WEIGHT));
    const end = { ...place, anchors: to };
    if (!types.has("cross_anchor.added") && !types.has("external_anchor.added")) {
      return { events: [], end: { ...place, anchors: limit }, weight: 0 };
    }
    const found = await this.#anchors?.list(place.anchors, to) ?? [];
    const events = found.flatMap(({ type, at, data }, i) =>
      types.has(type) ? [eventOf(type, { ...place, anchors: place.anchors + i + 1 }, at, data)] : []
    );
    return { events, end, weight: SINGLE_WEIGHT * (to - place.anchors) };
  }
}

/** Whether any of `wanted` comes before the anchors of a cut. */
function wantsOfLog({ types }: WantedEvents): boolean {
  return types.has("attestation.accepted") || types.has("attestation.confirmed") ||
    types.has("batch.closed") || types.has("sth.published");
}
