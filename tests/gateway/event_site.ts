/**
 * Feeds of successive processes over one growing log, and what their readers received.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Clock } from "../../src/base/clock.ts";
import { CountersignError } from "../../src/base/errors.ts";
import {
  EventFeed,
  type EventSubscription,
  type FeedLimits,
} from "../../src/gateway/events/event_feed.ts";
import type { EventPage, LogEvent } from "../../src/gateway/events/event_page.ts";
import {
  ALL_EVENTS,
  type EventFilter,
  type EventPosition,
  parseCursor,
  START_POSITION,
} from "../../src/gateway/events/event_ports.ts";
import type {
  DisconnectReason,
  EventClient,
  EventReader,
  EventSink,
} from "../../src/gateway/events/event_reader.ts";
import { FEED_LIMITS } from "../../src/http/events/event_bounds.ts";
import { until } from "./fixture.ts";
import { GrowingAnchors, GrowingLog, hashAt, hastyClock } from "./growing_log.ts";

/** A reader and all frames that it received. */
export class Transcript implements EventSink {
  readonly filter: EventFilter;
  readonly events: LogEvent[] = [];
  /** The bytes that the sink reports as unread: a test makes its client slow with it. */
  buffered = 0;
  /** Added to `buffered` by each event. */
  weight = 0;
  readonly #onPage: (page: EventPage) => void;
  /** The cursor of `hello`. */
  start: string | undefined;
  hasGap = false;
  lagged: string | undefined;
  reason: DisconnectReason | undefined;
  reader: EventReader | undefined;
  subscription: EventSubscription | undefined;

  constructor(filter: EventFilter, onPage: (page: EventPage) => void) {
    this.filter = filter;
    this.#onPage = onPage;
  }

  send(page: EventPage): void {
    assert.equal(this.reason, undefined, "nothing comes after the end");
    assert.equal(this.lagged, undefined, "lagged comes last");
    assert.ok(page.frames.length > 0, "a page has frames");
    const [{ type, id, json }] = page.frames as [LogEvent];
    if (type as string === "hello") {
      assert.equal(this.start, undefined, "one hello");
      this.start = id;
      assert.equal(JSON.parse(json).cursor, id);
    } else if (type as string === "gap") {
      assert.ok(this.start !== undefined && this.events.length === 0, "a gap follows hello");
      this.hasGap = true;
    } else if (type as string === "lagged") {
      this.lagged = JSON.parse(json).cursor;
    } else {
      assert.ok(this.start !== undefined, "hello comes first");
      this.events.push(...page.frames as LogEvent[]);
      this.#onPage(page);
      this.buffered += this.weight * page.frames.length;
    }
  }

  end(reason: DisconnectReason): void {
    assert.equal(this.reason, undefined, "one end");
    assert.equal(reason === "lagged", this.lagged !== undefined);
    this.reason = reason;
  }

  /** The cursor to resume with. */
  get cursor(): EventPosition {
    return parseCursor(this.events.at(-1)?.id ?? this.start!);
  }

  leave(): void {
    this.subscription?.close();
  }
}

/** Counts connections, at most `count`. */
export function atMost(count: number): () => () => void {
  let open = 0;
  return () => {
    if (open === count) throw new CountersignError("overloaded", `${count} are open`);
    open++;
    return () => open--;
  };
}

/** The log and the feed of the running process. */
export class EventSite {
  readonly log = new GrowingLog();
  readonly anchors = new GrowingAnchors();
  readonly reports: unknown[] = [];
  readonly #limits: Partial<FeedLimits>;
  readonly #clock: Clock;
  readonly #countConnection: (() => () => void) | undefined;
  feed: EventFeed;

  constructor(
    limits: Partial<FeedLimits> = {},
    clock: Clock = hastyClock,
    countConnection?: () => () => void,
  ) {
    this.#limits = limits;
    this.#clock = clock;
    this.#countConnection = countConnection;
    this.feed = this.#open();
  }

  /** Kills the process, which may be in the middle of an emission, and starts another one. */
  restart(): void {
    void this.feed.stop();
    this.feed = this.#open();
  }

  async connect(
    filter: EventFilter = ALL_EVENTS,
    after?: EventPosition,
    { client, onPage = () => {} }: {
      readonly client?: EventClient;
      /** Called with each page of events. */
      readonly onPage?: (page: EventPage) => void;
    } = {},
  ): Promise<Transcript> {
    const transcript = new Transcript(filter, onPage);
    transcript.subscription = await this.feed.subscribe({ filter, after, client });
    transcript.reader = transcript.subscription.read(transcript);
    return transcript;
  }

  /** Every event that `filter` passes from `after` to the present. */
  async replay(filter: EventFilter = ALL_EVENTS, after = START_POSITION): Promise<LogEvent[]> {
    const transcript = await this.connect(filter, after);
    const count = this.due(filter, after, this.now).length;
    await until(() => transcript.events.length >= count);
    await settle();
    transcript.leave();
    return transcript.events;
  }

  get now(): EventPosition {
    const { accepted, confirmed, published } = this.log;
    return {
      accepted,
      confirmed,
      batches: published,
      heads: published,
      anchors: this.anchors.length,
    };
  }

  /** The names of the events between two positions that `filter` passes, list by list. */
  due({ types, hash }: EventFilter, from: EventPosition, to: EventPosition): string[] {
    const names: string[] = [];
    for (const list of ["accepted", "confirmed"] as const) {
      if (!types.has(`attestation.${list}`)) continue;
      for (let i = from[list]; i < to[list]; i++) {
        if (hash === undefined || hash === hashAt(i)) names.push(`attestation.${list} ${i}`);
      }
    }
    if (hash !== undefined) return names;
    for (const [list, type] of [["batches", "batch.closed"], ["heads", "sth.published"]] as const) {
      if (!types.has(type)) continue;
      const sizes = this.log.sizes.filter((size) => size > from[list] && size <= to[list]);
      names.push(...sizes.map((size) => `${type} ${size}`));
    }
    for (const { type, data } of this.anchors.added.slice(from.anchors, to.anchors)) {
      if (types.has(type)) names.push(`${type} ${JSON.parse(data).index}`);
    }
    return names;
  }

  /**
   * Asserts that each cursor in `transcript` covers exactly the events before it, so that a reader can
   * resume exactly from any of them.
   */
  check({ filter, start, events }: Transcript): void {
    let position = parseCursor(start!);
    for (const event of events) {
      const next = parseCursor(event.id);
      assert.deepEqual(this.due(filter, position, next), [nameOf(event)]);
      assert.equal(JSON.parse(event.json).id, event.id);
      position = next;
    }
  }

  /** {@linkcode EventSite.check}, and that `transcript` received everything up to the present. */
  checkWhole(transcript: Transcript): void {
    this.check(transcript);
    assert.deepEqual(this.due(transcript.filter, transcript.cursor, this.now), []);
  }

  #open(): EventFeed {
    return new EventFeed({
      log: this.log,
      anchors: this.anchors,
      clock: this.#clock,
      report: (error) => this.reports.push(error),
      limits: { ...FEED_LIMITS, ...this.#limits },
      ...(this.#countConnection !== undefined && { countConnection: this.#countConnection }),
    });
  }
}

/** A text that is unique to an event, whatever its id. */
export function nameOf({ json }: LogEvent): string {
  const { type, data } = JSON.parse(json);
  const number = data.sequence ?? data.id ?? data.tree_head?.tree_size ?? data.index;
  return `${type} ${number}`;
}

/** Long enough for everything that is ready; nothing else waits for a timer here. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 12; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}
