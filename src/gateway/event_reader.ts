/**
 * One reader of events: first pages of what it missed, then pages of its channel. What its client
 * has not taken is bounded; a reader that is too slow gets `lagged` with its cursor and is
 * disconnected.
 *
 * @module
 */

import type { ChannelReader, EventChannel } from "./event_channel.ts";
import type { EventClient } from "./event_client.ts";
import type { EventFilter } from "./event_filter.ts";
import type { EventPage } from "./event_page.ts";
import { encodeCursor, type EventPlace } from "./event_place.ts";
import type { ServedReader } from "./event_sender.ts";

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
  /** Events that may wait; beyond it the reader is disconnected. */
  readonly queue: number;
  /** Looks, one a tick, at which nothing was taken while something waits. */
  readonly stalledTicks: number;
}

/** What a reader asks of its feed. */
export interface ReaderContext {
  readonly limits: ReaderLimits;
  /** The reader has no room: {@linkcode EventReader.tick} is called from here on while it says so. */
  readonly waits: (reader: EventReader) => void;
  /** Something waits for the reader, and it may have room. */
  readonly ready: (reader: EventReader) => void;
  readonly left: (reader: EventReader) => void;
}

/** A reader of one feed. */
export class EventReader implements ChannelReader, ServedReader {
  readonly filter: EventFilter;
  readonly client: EventClient;
  readonly #sink: EventSink;
  readonly #context: ReaderContext;
  #hasLeft = false;
  #leaving: AbortController | undefined;
  #channel: EventChannel | undefined;
  #position = 0;
  #cursor = "";
  #bufferedBefore = 0;
  #stalled = 0;
  #onRoom: (() => void) | undefined;

  constructor(filter: EventFilter, client: EventClient, sink: EventSink, context: ReaderContext) {
    this.filter = filter;
    this.client = client;
    this.#sink = sink;
    this.#context = context;
  }

  /** The reader has gone, or was sent away. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Aborted when the reader leaves. */
  get leaving(): AbortSignal {
    this.#leaving ??= new AbortController();
    if (this.#hasLeft) this.#leaving.abort();
    return this.#leaving.signal;
  }

  get position(): number {
    return this.#position;
  }

  /** The first frames: where it stands, and whether what it asked for is not to be had. */
  begin(place: EventPlace, hasGap: boolean): void {
    if (this.#hasLeft) return;
    this.#cursor = encodeCursor(place);
    this.#sink.hello(this.#cursor);
    if (hasGap) this.#sink.gap();
  }

  /** Sends a page of a replay. */
  replay(page: EventPage): void {
    if (!this.#hasLeft) this.#send(page);
  }

  /** Resolves when there is room for another page, or the reader has left. */
  async room(): Promise<void> {
    if (!this.#hasLeft && !this.#hasRoom) {
      await new Promise<void>((resolve) => this.#waitForRoom(resolve));
    }
  }

  /** The replay has ended: the reader sends the next events of `channel`. */
  join(channel: EventChannel): void {
    this.#channel = channel;
    this.#position = channel.end;
  }

  told(newest: number): void {
    const waiting = this.#channel!.end - newest - this.#position;
    if (waiting > this.#context.limits.queue) this.end("lagged");
    else if (this.#onRoom === undefined) this.#context.ready(this);
  }

  serve(): boolean {
    if (this.#hasLeft || this.#onRoom !== undefined) return false;
    const channel = this.#channel!;
    const page = channel.pageAt(this.#position);
    if (page === undefined) return false;
    if (!this.#hasRoom) {
      this.#waitForRoom(() => this.#context.ready(this));
      return false;
    }
    this.#position += page.events.length;
    this.#send(page);
    return this.#position < channel.end;
  }

  /** Looks whether the client has taken something; false when nothing waits for it any more. */
  tick(): boolean {
    if (this.#hasLeft || this.#onRoom === undefined) return false;
    const { buffered } = this.#sink;
    if (this.#hasRoom) {
      const onRoom = this.#onRoom;
      this.#onRoom = undefined;
      onRoom();
      return false;
    }
    this.#stalled = buffered < this.#bufferedBefore ? 0 : this.#stalled + 1;
    this.#bufferedBefore = buffered;
    if (this.#stalled < this.#context.limits.stalledTicks) return true;
    this.end("lagged");
    return false;
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
    this.#context.left(this);
    this.#leaving?.abort();
    this.#onRoom?.();
    this.#onRoom = undefined;
  }

  get #hasRoom(): boolean {
    return this.#sink.buffered < this.#context.limits.buffered;
  }

  #send(page: EventPage): void {
    this.#cursor = page.cursor;
    this.#sink.send(page);
  }

  #waitForRoom(onRoom: () => void): void {
    this.#onRoom = onRoom;
    this.#bufferedBefore = this.#sink.buffered;
    this.#stalled = 0;
    this.#context.waits(this);
  }
}
