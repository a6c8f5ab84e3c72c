/**
 * Reads events from the lists of a log: acceptances, then confirmations, then heads with the batches
 * that they close, then anchors. Live events and replays read between two consistent positions in
 * this order, so every reader receives an event after the events that it depends on.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { eventOf, type LogEvent } from "./event_page.ts";
import {
  type AnchorList,
  type EventLog,
  type EventPosition,
  type EventType,
  isAtMost,
} from "./event_ports.ts";

/** Maximum weight of a page; an event about a digest weighs 1. */
export const PAGE_WEIGHT = 256;
/** Weight of a head or an anchor: reading one costs as much as reading 32 events about digests. */
const SINGLE_WEIGHT = 32;

/** Events to read. */
export interface WantedEvents {
  readonly types: ReadonlySet<EventType>;
  /** Reads only the events about this sequence. */
  readonly sequence?: number | undefined;
}

/** Consecutive events. */
export interface EventRange {
  readonly events: readonly LogEvent[];
  /** The position after the last event, and after the unwanted events that follow it. */
  readonly end: EventPosition;
}

interface Step extends EventRange {
  readonly weight: number;
}

/** Stateless: readers may be at any position. */
export class EventHistory {
  readonly #log: EventLog;
  readonly #anchors: AnchorList | undefined;

  constructor(log: EventLog, anchors: AnchorList | undefined) {
    this.#log = log;
    this.#anchors = anchors;
  }

  /** The end of every list. */
  get now(): EventPosition {
    // A front may apply updates at each read of the log: lists that others depend on are read after them.
    const { published } = this.#log;
    const anchors = this.#anchors?.length ?? 0;
    const { confirmed } = this.#log;
    const { accepted } = this.#log;
    return { accepted, confirmed, batches: published, heads: published, anchors };
  }

  /** Upper bound, at most a page, for the weight of `wanted` between `position` and `target`. */
  weight(position: EventPosition, target: EventPosition, wanted: WantedEvents): number {
    if (wanted.sequence !== undefined) return SINGLE_WEIGHT;
    const count = (list: keyof EventPosition, isWanted: boolean) =>
      isWanted ? target[list] - position[list] : 0;
    const weight = count("accepted", wanted.types.has("attestation.accepted")) +
      count("confirmed", wanted.types.has("attestation.confirmed")) +
      SINGLE_WEIGHT * (count("heads", wantsHeads(wanted)) + count("anchors", wantsAnchors(wanted)));
    return Math.max(1, Math.min(weight, PAGE_WEIGHT));
  }

  /**
   * Reads `wanted` from `position` until `target` or until the events weigh `limit`. `position` must
   * not be beyond `target` in any list. Calls `pause` between two reads.
   */
  async read(
    position: EventPosition,
    target: EventPosition,
    wanted: WantedEvents,
    limit = PAGE_WEIGHT,
    pause: () => Promise<void> | undefined = () => undefined,
  ): Promise<EventRange> {
    const events: LogEvent[] = [];
    let end = position;
    for (let weight = 0; weight < limit && !isAtMost(target, end);) {
      if (weight > 0) await pause();
      const step = await this.#next(end, target, wanted, limit - weight);
      events.push(...step.events);
      end = step.end;
      weight += step.weight;
    }
    return { events, end };
  }

  #next(
    position: EventPosition,
    target: EventPosition,
    wanted: WantedEvents,
    limit: number,
  ): Promise<Step> | Step {
    for (const list of ["accepted", "confirmed"] as const) {
      if (position[list] < target[list]) {
        return this.#digests(list, position, target[list], wanted, limit);
      }
    }
    const { batches, heads, anchors } = target;
    if (position.heads < heads) {
      if (!wantsHeads(wanted)) return skipped({ ...position, batches, heads });
      return this.#head(position, wanted);
    }
    if (!wantsAnchors(wanted)) return skipped({ ...position, anchors });
    return this.#listed(position, anchors, wanted, limit);
  }

  async #digests(
    list: "accepted" | "confirmed",
    position: EventPosition,
    limit: number,
    { types, sequence }: WantedEvents,
    count: number,
  ): Promise<Step> {
    const type = `attestation.${list}` as const;
    let [start, to] = [position[list], limit];
    if (sequence !== undefined) {
      start = Math.max(start, sequence);
      to = Math.min(to, sequence + 1);
    }
    if (!types.has(type) || start >= to) return skipped({ ...position, [list]: limit });
    to = Math.min(to, start + count);
    const found = list === "accepted"
      ? await this.#log.acceptances(start, to)
      : await this.#log.confirmations(start, to);
    const events = found.map(({ hash, at }, i) => {
      const after = { ...position, [list]: start + i + 1 };
      // Hex and numbers need no escaping.
      return eventOf(type, after, at, `{"hash":"${hash}","sequence":${start + i}}`, hash);
    });
    return { events, end: { ...position, [list]: to }, weight: to - start };
  }

  /** The next head, after the batch that it closes unless the reader has received that. */
  async #head(position: EventPosition, { types }: WantedEvents): Promise<Step> {
    const head = await this.#log.headAbove(position.heads);
    if (head === undefined) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot read events: the published head above size ${position.heads} is missing`,
      );
    }
    const { size } = head;
    const sth = head.sth();
    const { timestamp } = sth.tree_head;
    const closed = { ...position, batches: Math.max(position.batches, size) };
    const end = { ...closed, heads: size };
    const events: LogEvent[] = [];
    if (types.has("batch.closed") && position.batches < size) {
      const batch = JSON.stringify(await head.batch());
      events.push(eventOf("batch.closed", closed, timestamp, batch));
    }
    if (types.has("sth.published")) {
      events.push(eventOf("sth.published", end, timestamp, JSON.stringify(sth)));
    }
    return { events, end, weight: SINGLE_WEIGHT };
  }

  async #listed(
    position: EventPosition,
    limit: number,
    { types }: WantedEvents,
    maxWeight: number,
  ): Promise<Step> {
    const start = position.anchors;
    const to = Math.min(limit, start + Math.ceil(maxWeight / SINGLE_WEIGHT));
    const found = await this.#anchors?.list(start, to) ?? [];
    const events = found.flatMap(({ type, at, data }, i) =>
      types.has(type) ? [eventOf(type, { ...position, anchors: start + i + 1 }, at, data)] : []
    );
    return { events, end: { ...position, anchors: to }, weight: SINGLE_WEIGHT * (to - start) };
  }
}

function skipped(end: EventPosition): Step {
  return { events: [], end, weight: 0 };
}

function wantsHeads({ types }: WantedEvents): boolean {
  return types.has("batch.closed") || types.has("sth.published");
}

function wantsAnchors({ types }: WantedEvents): boolean {
  return types.has("cross_anchor.added") || types.has("external_anchor.added");
}
