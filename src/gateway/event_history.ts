/**
 * The one order of events, and its events read from the log. Between two cuts it is this: for each
 * published head all acceptances and then all confirmations below its size, the end of its batch, the
 * head; after the last head the remaining acceptances, the remaining confirmations, and the anchors.
 * What was told live and what is replayed are made by the same steps, and are the same.
 *
 * @module
 */

import { type EventPlace, laterPlace } from "./event_place.ts";
import type { WantedEvents } from "./event_filter.ts";
import type { AnchorList, DigestEvent, EventLog, EventType, PublishedHead } from "./event_ports.ts";
import { eventOf, type LogEvent } from "./event_text.ts";

/** Events that are in memory at a time for one reader: 60 KiB of most types. */
const CHUNK = 256;

/** Some events, and the place after them and after what was passed over. */
export interface EventChunk {
  readonly events: readonly LogEvent[];
  readonly end: EventPlace;
}

type DigestList = "accepted" | "confirmed";

/** Reads events. Holds no state: any number of readers stand anywhere. */
export class EventHistory {
  readonly #log: EventLog;
  readonly #anchors: AnchorList | undefined;

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

  /** The next events of `wanted` from `place` on, no further than `cut`, which is after it. */
  async next(place: EventPlace, cut: EventPlace, wanted: WantedEvents): Promise<EventChunk> {
    let end = place;
    for (;;) {
      // Anchors come last: for them alone, heads need not be looked at.
      if (!wantsOfLog(wanted)) end = laterPlace(end, { ...cut, anchors: 0 });
      const head = await this.#headIn(end, cut);
      const chunk = head === undefined
        ? await this.#afterHeads(end, cut, wanted)
        : await this.#upToHead(end, head, wanted);
      if (chunk === undefined) return { events: [], end: laterPlace(end, cut) };
      end = chunk.end;
      if (chunk.events.length > 0) return chunk;
    }
  }

  async #headIn(place: EventPlace, cut: EventPlace): Promise<PublishedHead | undefined> {
    const told = Math.min(place.batches, place.heads);
    if (told >= cut.heads) return undefined;
    const head = await this.#log.headAbove(told);
    return head !== undefined && head.size <= cut.heads ? head : undefined;
  }

  async #upToHead(
    place: EventPlace,
    head: PublishedHead,
    wanted: WantedEvents,
  ): Promise<EventChunk> {
    const { size } = head;
    if (place.accepted < size) return await this.#digests("accepted", place, size, wanted);
    if (place.confirmed < size) return await this.#digests("confirmed", place, size, wanted);
    const [list, type]: ["batches" | "heads", EventType] = place.batches < size
      ? ["batches", "batch.closed"]
      : ["heads", "sth.published"];
    const end = { ...place, [list]: size };
    if (!wanted.types.has(type)) return { events: [], end };
    const sth = head.sth();
    const data = list === "heads" ? sth : await head.batch();
    const { timestamp } = sth.tree_head;
    return { events: [eventOf(type, end, timestamp, JSON.stringify(data))], end };
  }

  async #afterHeads(
    place: EventPlace,
    cut: EventPlace,
    wanted: WantedEvents,
  ): Promise<EventChunk | undefined> {
    const { accepted, confirmed, anchors } = place;
    if (accepted < cut.accepted) {
      return await this.#digests("accepted", place, cut.accepted, wanted);
    }
    if (confirmed < cut.confirmed) {
      return await this.#digests("confirmed", place, cut.confirmed, wanted);
    }
    return anchors < cut.anchors ? await this.#listed(place, cut.anchors, wanted) : undefined;
  }

  async #digests(
    list: DigestList,
    place: EventPlace,
    limit: number,
    { types, sequence }: WantedEvents,
  ): Promise<EventChunk> {
    const isAccepted = list === "accepted";
    const type = `attestation.${list}` as const;
    let [start, to] = [place[list], limit];
    if (sequence !== undefined) {
      start = Math.max(start, sequence);
      to = Math.min(to, sequence + 1);
    }
    if (!types.has(type) || start >= to) return { events: [], end: { ...place, [list]: limit } };
    to = Math.min(to, start + CHUNK);
    const found: readonly DigestEvent[] = isAccepted
      ? await this.#log.acceptances(start, to)
      : await this.#log.confirmations(start, to);
    const events = found.map(({ hash, at }, i) => {
      const after = { ...place, [list]: start + i + 1 };
      // Hex and numbers: nothing needs escaping.
      return eventOf(type, after, at, `{"hash":"${hash}","sequence":${start + i}}`, hash);
    });
    return { events, end: { ...place, [list]: to } };
  }

  async #listed(
    place: EventPlace,
    limit: number,
    { types }: WantedEvents,
  ): Promise<EventChunk> {
    const to = Math.min(limit, place.anchors + CHUNK);
    const end = { ...place, anchors: to };
    if (!types.has("cross_anchor.added") && !types.has("external_anchor.added")) {
      return { events: [], end };
    }
    const found = await this.#anchors?.list(place.anchors, to) ?? [];
    const events = found.flatMap(({ type, at, data }, i) =>
      types.has(type) ? [eventOf(type, { ...place, anchors: place.anchors + i + 1 }, at, data)] : []
    );
    return { events, end };
  }
}

/** Whether any of `wanted` comes before the anchors of a cut. */
function wantsOfLog({ types }: WantedEvents): boolean {
  return types.has("attestation.accepted") || types.has("attestation.confirmed") ||
    types.has("batch.closed") || types.has("sth.published");
}
