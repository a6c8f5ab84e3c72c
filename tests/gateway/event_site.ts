/**
 * Feeds over a growing log, one process after the other, and what their readers were told.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Clock } from "../../src/clock.ts";
import type { EventClient } from "../../src/gateway/event_client.ts";
import { ALL_EVENTS, type EventFilter } from "../../src/gateway/event_filter.ts";
import { EventFeed, type EventSeat, type FeedLimits } from "../../src/gateway/event_feed.ts";
import type { EventPage } from "../../src/gateway/event_page.ts";
import { type EventPlace, FIRST_PLACE, parseCursor } from "../../src/gateway/event_place.ts";
import type { EventEnd, EventReader, EventSink } from "../../src/gateway/event_reader.ts";
import { FEED_LIMITS } from "../../src/http/limits.ts";
import type { LogEvent } from "../../src/gateway/event_text.ts";
import { until } from "./fixture.ts";
import { GrowingAnchors, GrowingLog, hastyClock, MemoryCuts } from "./growing_log.ts";

/** A reader and all that it was told. */
export class Transcript implements EventSink {
  readonly filter: EventFilter;
  readonly events: LogEvent[] = [];
  /** What is reported as not taken: a test makes its client slow with it. */
  buffered = 0;
  /** Added to `buffered` by each event. */
  weight = 0;
  readonly #onPage: (page: EventPage) => void;
  start: string | undefined;
  hasGap = false;
  #ended: { readonly reason: EventEnd; readonly cursor: string } | undefined;
  reader: EventReader | undefined;
  seat: EventSeat | undefined;

  constructor(filter: EventFilter, onPage: (page: EventPage) => void) {
    this.filter = filter;
    this.#onPage = onPage;
  }

  hello(cursor: string): void {
    assert.equal(this.start, undefined, "one hello");
    this.start = cursor;
  }

  gap(): void {
    assert.equal(this.events.length, 0, "a gap comes first");
    this.hasGap = true;
  }

  send(page: EventPage): void {
    const { events } = page;
    assert.ok(this.start !== undefined, "hello comes first");
    assert.equal(this.#ended, undefined, "nothing comes after the end");
    assert.ok(events.length > 0, "a page has events");
    this.events.push(...events);
    this.#onPage(page);
    this.buffered += this.weight * events.length;
  }

  end(reason: EventEnd, cursor: string): void {
    assert.equal(this.#ended, undefined, "one end");
    this.#ended = { reason, cursor };
  }

  /** Why it was sent away, and with which cursor; nothing while it was not. */
  get reason(): EventEnd | undefined {
    return this.#ended?.reason;
  }

  get endCursor(): string | undefined {
    return this.#ended?.cursor;
  }

  /** The cursor to come back with. */
  get cursor(): EventPlace {
    return parseCursor(this.events.at(-1)?.id ?? this.start!);
  }

  leave(): void {
    this.reader?.leave();
    this.seat?.leave();
  }
}

/** What outlives processes, and the feed of the one that runs. */
export class EventSite {
  readonly log = new GrowingLog();
  readonly anchors = new GrowingAnchors();
  readonly cuts = new MemoryCuts();
  readonly reports: unknown[] = [];
  readonly #limits: Partial<FeedLimits>;
  readonly #clock: Clock;
  feed: EventFeed;

  constructor(limits: Partial<FeedLimits> = {}, clock: Clock = hastyClock) {
    this.#limits = limits;
    this.#clock = clock;
    this.feed = this.#open();
  }

  /** The process dies, `during` a cut or between two, and another one starts. */
  async restart(during?: MemoryCuts["fate"]): Promise<void> {
    this.cuts.fate = during;
    // Whatever the dead one does from here on reaches nobody.
    const dead = this.feed;
    if (during === undefined) await dead.stop();
    else {
      this.log.accept(1);
      await settle();
      this.log.listeners.notify();
    }
    this.cuts.fate = undefined;
    this.feed = this.#open();
  }

  async connect(
    filter: EventFilter = ALL_EVENTS,
    after?: EventPlace,
    { client, onPage = () => {} }: {
      readonly client?: EventClient;
      /** Called with each page. */
      readonly onPage?: (page: EventPage) => void;
    } = {},
  ): Promise<Transcript> {
    const transcript = new Transcript(filter, onPage);
    const seat = this.feed.takeSeat();
    transcript.seat = seat;
    const start = await this.feed.start(after);
    transcript.reader = this.feed.read(filter, start, transcript, client);
    return transcript;
  }

  /** All events that `filter` lets by from `after` to the present. */
  async replay(
    filter: EventFilter = ALL_EVENTS,
    after: EventPlace = FIRST_PLACE,
  ): Promise<LogEvent[]> {
    const transcript = await this.connect(filter, after);
    await settle();
    transcript.leave();
    return transcript.events;
  }

  /** Every event of the log, once all are there. */
  async whole(): Promise<LogEvent[]> {
    const { accepted, confirmed, sizes } = this.log;
    const count = accepted + confirmed + 2 * sizes.length + this.anchors.length;
    const transcript = await this.connect(ALL_EVENTS, FIRST_PLACE);
    await until(() => transcript.events.length >= count);
    transcript.leave();
    return transcript.events;
  }

  #open(): EventFeed {
    return new EventFeed({
      log: this.log,
      anchors: this.anchors,
      cuts: this.cuts,
      clock: this.#clock,
      report: (error) => this.reports.push(error),
      limits: { ...FEED_LIMITS, ...this.#limits },
    });
  }
}

/** Long enough for everything that is ready, and nothing else waits for a timer here. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 12; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** The events of `events` that come after `place` and pass `filter`. */
export function passing(
  events: readonly LogEvent[],
  filter: EventFilter,
  after: string,
): LogEvent[] {
  const at = events.findIndex(({ id }) => id === after);
  return events.slice(at + 1).filter(({ type, hash }) =>
    filter.types.has(type) && (filter.hash === undefined || filter.hash === hash)
  );
}
