/**
 * The events of one log (protocol.md "Events"): told live to all who listen, replayed to those who
 * missed some.
 * The log never waits for any of them.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { FairTurns } from "../fair_turns.ts";
import { EventAudience } from "./event_audience.ts";
import type { EventClient } from "./event_client.ts";
import type { EventFilter } from "./event_filter.ts";
import { EventHistory } from "./event_history.ts";
import { type EventPlace, isUpTo } from "./event_place.ts";
import type { AnchorList, EventCuts, EventLog } from "./event_ports.ts";
import {
  EventReader,
  type EventSink,
  type ReaderContext,
  type ReaderLimits,
} from "./event_reader.ts";
import { replay } from "./event_replay.ts";
import { EventSender } from "./event_sender.ts";
import { EventTeller } from "./event_teller.ts";

/** Milliseconds between two looks at readers that have not taken what they were sent. */
const TICK_MS = 5;

/** Bounds of one feed. */
export interface FeedLimits extends ReaderLimits {
  /** Connections at once. One that is being closed counts until it is. */
  readonly connections: number;
}

/** What a feed is made of. */
export interface EventFeedParts {
  readonly log: EventLog;
  /** Absent where nothing is anchored. */
  readonly anchors?: AnchorList;
  readonly cuts: EventCuts;
  readonly clock: Clock;
  /** Told of faults, which end connections and not the gateway. */
  readonly report: (error: unknown) => void;
  readonly limits: FeedLimits;
}

/** A place among the connections. */
export interface EventSeat {
  /** The client has gone, and its connection is closed. */
  leave(): void;
}

/** Where a reader begins. */
export interface EventStart {
  readonly place: EventPlace;
  /** What it asked for is not to be had. */
  readonly hasGap: boolean;
}

/** One feed. */
export class EventFeed {
  readonly networkId: string;
  readonly #parts: EventFeedParts;
  readonly #limits: FeedLimits;
  readonly #history: EventHistory;
  readonly #audience = new EventAudience();
  readonly #teller: EventTeller;
  readonly #sender: EventSender;
  readonly #replays: FairTurns;
  readonly #context: ReaderContext;
  /** Every reader that was not sent away, those that replay included. */
  readonly #readers = new Set<EventReader>();
  /** Those whose clients have not taken what they were sent. */
  readonly #waiting = new Set<EventReader>();
  #ticker: ReturnType<typeof setInterval> | undefined;
  #seats = 0;
  #streams = 0;
  #onEmpty: () => void = () => {};
  readonly #stopping = new AbortController();

  constructor(parts: EventFeedParts) {
    const { log, anchors, clock, limits } = parts;
    this.networkId = log.networkId;
    this.#parts = parts;
    this.#limits = limits;
    this.#history = new EventHistory(log, anchors);
    this.#teller = new EventTeller({
      ...parts,
      history: this.#history,
      audience: this.#audience,
      failed: (error) => this.#failed(error, [...this.#readers]),
    });
    const whileOpen = untilAborted(clock, this.#stopping.signal);
    this.#sender = new EventSender(whileOpen);
    this.#replays = new FairTurns(whileOpen);
    this.#context = {
      limits,
      waits: (reader) => this.#await(reader),
      ready: (reader) => this.#sender.add(reader),
      left: (reader) => {
        this.#readers.delete(reader);
        this.#audience.remove(reader);
        this.#stopWaiting(reader);
      },
    };
  }

  /** Connections, those that are being closed included. */
  get connections(): number {
    return this.#seats;
  }

  /** Readers whose clients have not taken what they were sent. */
  get waitingReaders(): number {
    return this.#waiting.size;
  }

  /** A place for one more connection; `overloaded`, `shutting_down`. */
  takeSeat(): EventSeat {
    if (this.#stopping.signal.aborted) throw shuttingDown();
    if (this.#seats >= this.#limits.connections) throw overloaded(this.#limits.connections);
    this.#seats++;
    let isTaken = true;
    return {
      leave: () => {
        if (!isTaken) return;
        isTaken = false;
        this.#seats--;
        if (this.#seats > 0) return;
        this.#teller.rest();
        this.#onEmpty();
      },
    };
  }

  /**
   * Where a reader begins that holds a seat: at `after`, or where the log stands. Whatever happens once
   * this has resolved is told to it. `shutting_down`, `storage_failed`, `store_corrupt`.
   */
  async start(after: EventPlace | undefined): Promise<EventStart> {
    const { now } = this.#history;
    for (;;) {
      if (this.#stopping.signal.aborted) throw shuttingDown();
      await this.#teller.running();
      const { told, isTelling } = this.#teller;
      if (!isTelling && isUpTo(now, told)) {
        const isKnown = after !== undefined && isUpTo(after, told);
        return { place: isKnown ? after : told, hasGap: after !== undefined && !isKnown };
      }
      await this.#teller.demand(now);
    }
  }

  /**
   * Sends `sink` all events that `filter` matches from `start` on, on behalf of `client`. Without
   * `client`, the reader is a separate client that is never charged.
   */
  read(
    filter: EventFilter,
    start: EventStart,
    sink: EventSink,
    client: EventClient = { owner: `stream ${this.#streams++}`, charge: () => 0 },
  ): EventReader {
    const reader = new EventReader(filter, client, sink, this.#context);
    this.#readers.add(reader);
    // From here on cuts are made on its behalf: what it has not missed yet is not to pile up.
    this.#audience.expect(reader);
    this.#teller.wake();
    reader.begin(start.place, start.hasGap);
    if (this.#stopping.signal.aborted) reader.end("stopping");
    else this.#serve(reader, start.place).catch((error) => this.#failed(error, [reader]));
    return reader;
  }

  /** Takes no connection from here on, sends all readers away, and waits until all have left. */
  async close(): Promise<void> {
    await this.stop();
    if (this.#seats > 0) await new Promise<void>((resolve) => this.#onEmpty = resolve);
  }

  /** {@linkcode EventFeed.close}, without waiting for clients: nothing is read from here on. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const reader of [...this.#readers]) reader.end("stopping");
    this.#teller.rest();
    await this.#teller.ended;
  }

  async #serve(reader: EventReader, start: EventPlace): Promise<void> {
    const { log, clock } = this.#parts;
    const history = this.#history;
    const turns = this.#replays;
    const teller = this.#teller;
    for (let place = start;;) {
      // The loop is not started again for a reader that left during its replay.
      if (reader.hasLeft) return;
      // A fault of the loop has sent away everybody who was here.
      await teller.running();
      if (reader.hasLeft) return;
      if (teller.isTelling) await teller.boundary();
      else if (isUpTo(teller.told, place)) break;
      else {
        const { order, told } = teller;
        place = await replay({ log, history, order, clock, turns }, reader, place, told);
      }
    }
    // No await since the last look: what is told from here on, is told to this one too.
    reader.join(this.#audience.add(reader));
  }

  #failed(error: unknown, readers: readonly EventReader[]): void {
    if (this.#stopping.signal.aborted) return;
    this.#parts.report(error);
    for (const reader of readers) reader.end("failed");
  }

  #await(reader: EventReader): void {
    this.#waiting.add(reader);
    this.#ticker ??= setInterval(() => {
      for (const waiting of this.#waiting) if (!waiting.tick()) this.#stopWaiting(waiting);
    }, TICK_MS);
  }

  #stopWaiting(reader: EventReader): void {
    if (!this.#waiting.delete(reader) || this.#waiting.size > 0) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }
}

/** `clock`, all of whose sleeps end when `signal` aborts. */
function untilAborted(clock: Clock, signal: AbortSignal): Clock {
  return { nowMs: () => clock.nowMs(), sleep: (ms) => clock.sleep(ms, signal) };
}

function overloaded(most: number): CountersignError {
  return new CountersignError(
    "overloaded",
    `Cannot tell of events: fewer than ${most} connections required, found more`,
  );
}

function shuttingDown(): CountersignError {
  return new CountersignError(
    "shutting_down",
    "Cannot tell of events: a running gateway required, found one that stops",
  );
}
