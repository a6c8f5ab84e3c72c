/**
 * One reader of events: first what it missed, read from the log as fast as it takes it, then what
 * happens. What it has not taken is bounded; who is too slow is told where it stood, and sent away.
 *
 * @module
 */

import type { EventListener } from "./event_audience.ts";
import type { EventFilter } from "./event_filter.ts";
import { EventPage } from "./event_page.ts";
import { encodeCursor, type EventPlace } from "./event_place.ts";
import type { LogEvent } from "./event_text.ts";

/** Why a reader is sent away. */
export type EventEnd = "lagged" | "stopping" | "failed";

/** Where the events of one reader go: a socket or a stream. None of it throws. */
export interface EventSink {
  /** Bytes that were handed over and that the client has not taken. */
  readonly buffered: number;
  hello(cursor: string): void;
  gap(): void;
  send(page: EventPage): void;
  /** Called once, and nothing after it; `cursor` is that of the last event handed over. */
  end(reason: EventEnd, cursor: string): void;
}

/** What one reader may hold. */
export interface ReaderLimits {
  /** Bytes handed over and not taken, from which on events wait. */
  readonly buffered: number;
  /** Events that wait. */
  readonly queue: number;
  /** Looks, one a tick, at which nothing was taken of what waits. */
  readonly stalledTicks: number;
}

/** A reader of one feed. */
export class EventReader implements EventListener {
  readonly filter: EventFilter;
  readonly #sink: EventSink;
  readonly #limits: ReaderLimits;
  /** Called when it begins to wait for its client, and looks again at each tick from there on. */
  readonly #waits: (reader: EventReader) => void;
  readonly #left: (reader: EventReader) => void;
  #hasLeft = false;
  #queue: LogEvent[] = [];
  #cursor = "";
  #bufferedBefore = 0;
  #stalled = 0;
  #hasRoom: (() => void) | undefined;

  constructor(
    filter: EventFilter,
    sink: EventSink,
    { limits, waits, left }: {
      readonly limits: ReaderLimits;
      readonly waits: (reader: EventReader) => void;
      readonly left: (reader: EventReader) => void;
    },
  ) {
    this.filter = filter;
    this.#sink = sink;
    this.#limits = limits;
    this.#waits = waits;
    this.#left = left;
  }

  /** The reader has gone, or was sent away. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** The first frames: where it stands, and whether what it asked for is not to be had. */
  begin(place: EventPlace, hasGap: boolean): void {
    if (this.#hasLeft) return;
    this.#cursor = encodeCursor(place);
    this.#sink.hello(this.#cursor);
    if (hasGap) this.#sink.gap();
  }

  /** Sends what is replayed; resolves when there is room for more, or the reader has left. */
  async replay(events: readonly LogEvent[]): Promise<void> {
    for (const event of events) {
      if (this.#hasLeft) return;
      this.#send(event);
    }
    if (this.#hasLeft || this.#sink.buffered < this.#limits.buffered) return;
    await new Promise<void>((resolve) => {
      this.#hasRoom = resolve;
      this.#wait();
    });
  }

  tell(event: LogEvent): void {
    if (this.#hasLeft) return;
    if (this.#queue.length === 0 && this.#sink.buffered < this.#limits.buffered) {
      return this.#send(event);
    }
    if (this.#queue.length >= this.#limits.queue) return this.end("lagged");
    this.#queue.push(event);
    if (this.#queue.length === 1) this.#wait();
  }

  /** Looks whether the client has taken something; false when nothing waits for it any more. */
  tick(): boolean {
    if (this.#hasLeft) return false;
    const { buffered } = this.#sink;
    this.#stalled = buffered < this.#bufferedBefore ? 0 : this.#stalled + 1;
    if (buffered < this.#limits.buffered) this.#flush();
    else if (this.#stalled >= this.#limits.stalledTicks) this.end("lagged");
    this.#bufferedBefore = this.#sink.buffered;
    return !this.#hasLeft && (this.#queue.length > 0 || this.#hasRoom !== undefined);
  }

  /** Sends the reader away. */
  end(reason: EventEnd): void {
    if (this.#hasLeft) return;
    this.leave();
    this.#sink.end(reason, this.#cursor);
  }

  /** The client has gone. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#queue = [];
    this.#hasRoom?.();
    this.#left(this);
  }

  #flush(): void {
    this.#stalled = 0;
    let sent = 0;
    while (sent < this.#queue.length && this.#sink.buffered < this.#limits.buffered) {
      this.#send(this.#queue[sent++]!);
    }
    if (sent > 0) this.#queue.splice(0, sent);
    this.#hasRoom?.();
    this.#hasRoom = undefined;
  }

  #send(event: LogEvent): void {
    this.#cursor = event.id;
    this.#sink.send(new EventPage([event]));
  }

  #wait(): void {
    this.#bufferedBefore = this.#sink.buffered;
    this.#stalled = 0;
    this.#waits(this);
  }
}
