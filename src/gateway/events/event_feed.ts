/**
 * The events of one log (protocol.md "Events"). A reader that asks for older events gets them replayed
 * from the store, and then all new ones live. The log never waits for a reader.
 *
 * @module
 */

import type { Clock } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { FairTurns } from "../../base/fair_turns.ts";
import { EventAudience } from "./event_channel.ts";
import { EventBroadcast, replay } from "./event_broadcast.ts";
import { EventHistory } from "./event_history.ts";
import {
  type AnchorList,
  type EventFilter,
  type EventLog,
  type EventPosition,
  HASH_EVENT_TYPES,
  isAtMost,
} from "./event_ports.ts";
import {
  type EventClient,
  EventReader,
  type EventReaderContext,
  EventSender,
  type EventSink,
  type ReaderLimits,
} from "./event_reader.ts";

/** Milliseconds between two checks of readers whose clients have not read what was sent. */
const TICK_MS = 5;

export interface FeedLimits extends ReaderLimits {
  /** Seconds between heartbeats, as `hello` announces them. */
  readonly heartbeatSeconds: number;
}

export interface EventFeedParts {
  readonly log: EventLog;
  /** Absent where nothing is anchored. */
  readonly anchors?: AnchorList | undefined;
  readonly clock: Clock;
  /** Called with faults of the log. They end connections; the gateway continues. */
  readonly report: (error: unknown) => void;
  readonly limits: FeedLimits;
  /**
   * Counts an open or closing connection, together with those of other feeds, until the returned function
   * is called; `overloaded` if there are too many.
   */
  readonly countConnection?: () => () => void;
}

/** A client's request for events. */
export interface EventRequest {
  readonly filter: EventFilter;
  /** The position after which to start; the present when absent. */
  readonly after?: EventPosition | undefined;
  /** The client that pays for replays. A connection without one is never charged. */
  readonly client?: EventClient | undefined;
}

/** An admitted connection. */
export interface EventSubscription {
  /** Starts to send events. Call at most once, and not after `close`. */
  read(sink: EventSink): EventReader;
  /** Call once the connection is closed. */
  close(): void;
}

export class EventFeed {
  readonly #parts: EventFeedParts;
  readonly #history: EventHistory;
  readonly #audience = new EventAudience();
  readonly #broadcast: EventBroadcast;
  readonly #sender: EventSender;
  readonly #replays: FairTurns;
  readonly #context: EventReaderContext;
  /** Connected readers, replaying or live. */
  readonly #readers = new Set<EventReader>();
  /** Readers whose clients have not read what was sent. */
  readonly #waiting = new Set<EventReader>();
  #ticker: ReturnType<typeof setInterval> | undefined;
  #connections = 0;
  #subscriptions = 0;
  #onEmpty: () => void = () => {};
  readonly #stopping = new AbortController();

  constructor(parts: EventFeedParts) {
    const { log, anchors, clock, limits } = parts;
    this.#parts = parts;
    this.#history = new EventHistory(log, anchors);
    this.#broadcast = new EventBroadcast({
      ...parts,
      history: this.#history,
      audience: this.#audience,
      failed: (error) => this.#failed(error, [...this.#readers]),
    });
    const whileOpen: Clock = {
      nowMs: () => clock.nowMs(),
      elapsedMs: () => clock.elapsedMs(),
      sleep: (ms) => clock.sleep(ms, this.#stopping.signal),
    };
    this.#sender = new EventSender(whileOpen);
    this.#replays = new FairTurns(whileOpen);
    this.#context = {
      networkId: log.networkId,
      heartbeatSeconds: limits.heartbeatSeconds,
      limits,
      startTicks: (reader) => this.#startTicks(reader),
      ready: (reader) => this.#sender.add(reader),
      left: (reader) => {
        this.#readers.delete(reader);
        this.#audience.remove(reader);
        this.#stopTicks(reader);
      },
    };
  }

  /** Open and closing connections. */
  get connections(): number {
    return this.#connections;
  }

  /** Readers whose clients have not read what was sent. */
  get waitingReaders(): number {
    return this.#waiting.size;
  }

  /**
   * Admits one more connection. Its reader receives every event that happens after this has resolved.
   * `overloaded`, `shutting_down`.
   */
  async subscribe(request: EventRequest): Promise<EventSubscription> {
    if (this.#stopping.signal.aborted) throw shuttingDown();
    const release = this.#parts.countConnection?.();
    this.#connections++;
    let isOpen = true;
    let reader: EventReader | undefined;
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      reader?.leave();
      release?.();
      if (--this.#connections > 0) return;
      this.#broadcast.stop();
      this.#onEmpty();
    };
    try {
      const start = await this.#start(request.after);
      const read = (sink: EventSink): EventReader => {
        reader = this.#read(request, start, sink);
        return reader;
      };
      return { read, close };
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Admits no connection any more, disconnects all readers, and waits until all have left. */
  async close(): Promise<void> {
    await this.stop();
    if (this.#connections > 0) await new Promise<void>((resolve) => this.#onEmpty = resolve);
  }

  /** {@linkcode EventFeed.close}, without waiting for clients. Nothing is read once it resolves. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const reader of [...this.#readers]) reader.disconnect("stopping");
    await this.#broadcast.stop();
  }

  /**
   * Where a reader starts. Waits until all events up to now are emitted. `hasGap` is true if `after` is
   * beyond them: the log has lost what the reader saw.
   */
  async #start(after: EventPosition | undefined): Promise<Start> {
    const { now } = this.#history;
    for (;;) {
      if (this.#stopping.signal.aborted) throw shuttingDown();
      this.#broadcast.start();
      const { emittedUpTo } = this.#broadcast;
      if (isAtMost(now, emittedUpTo)) {
        if (after === undefined) return { position: emittedUpTo, hasGap: false };
        if (isAtMost(after, emittedUpTo)) return { position: after, hasGap: false };
        return { position: emittedUpTo, hasGap: true };
      }
      await this.#broadcast.advanced();
    }
  }

  #read({ filter, client }: EventRequest, start: Start, sink: EventSink): EventReader {
    const reader = new EventReader(
      filter.hash === undefined
        ? filter
        : { ...filter, types: filter.types.intersection(HASH_EVENT_TYPES) },
      client ?? { owner: `subscription ${this.#subscriptions++}`, charge: () => 0 },
      sink,
      this.#context,
    );
    this.#readers.add(reader);
    this.#audience.expect(reader);
    // A fault may have stopped it since the connection was admitted.
    this.#broadcast.start();
    reader.begin(start.position, start.hasGap);
    if (this.#stopping.signal.aborted) reader.disconnect("stopping");
    else this.#serve(reader, start.position).catch((error) => this.#failed(error, [reader]));
    return reader;
  }

  async #serve(reader: EventReader, start: EventPosition): Promise<void> {
    const { log, clock } = this.#parts;
    const context = { log, history: this.#history, clock, turns: this.#replays };
    for (let position = start; !reader.hasLeft;) {
      const { emittedUpTo } = this.#broadcast;
      if (isAtMost(emittedUpTo, position)) {
        // No `await` since the check, so the channel continues exactly where the replay ended.
        reader.join(this.#audience.add(reader));
        return;
      }
      position = await replay(context, reader, position, emittedUpTo);
    }
  }

  #failed(error: unknown, readers: readonly EventReader[]): void {
    if (this.#stopping.signal.aborted) return;
    this.#parts.report(error);
    for (const reader of readers) reader.disconnect("failed");
  }

  #startTicks(reader: EventReader): void {
    this.#waiting.add(reader);
    this.#ticker ??= setInterval(() => {
      for (const waiting of this.#waiting) if (!waiting.tick()) this.#stopTicks(waiting);
    }, TICK_MS);
  }

  #stopTicks(reader: EventReader): void {
    if (!this.#waiting.delete(reader) || this.#waiting.size > 0) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }
}

interface Start {
  readonly position: EventPosition;
  readonly hasGap: boolean;
}

function shuttingDown(): CountersignError {
  return new CountersignError(
    "shutting_down",
    "This gateway is shutting down; connect again later",
  );
}
