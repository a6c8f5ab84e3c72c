/**
 * One reader of events: replays what it missed, then sends pages of its channel. A reader that is too
 * slow gets `lagged` with its cursor and is disconnected. Waiting events are sent in slices: the thread
 * does all other work between two slices, so submissions go first.
 *
 * @module
 */

import type { Clock } from "../../base/clock.ts";
import { FairTurns } from "../../base/fair_turns.ts";
import type { ChannelReader, EventChannel } from "./event_channel.ts";
import { EventPage } from "./event_page.ts";
import { encodeCursor, type EventFilter, type EventPosition } from "./event_ports.ts";

/** Why the gateway disconnects a reader. */
export type DisconnectReason = "lagged" | "stopping" | "failed" | "unauthorized";

/** The connection of one reader. Its methods do not throw. */
export interface EventSink {
  /** Bytes that were sent and that the client has not read. */
  readonly buffered: number;
  send(page: EventPage): void;
  /** Closes the connection after what was sent. Called at most once, and last. */
  end(reason: DisconnectReason): void;
}

/** A client, which may have many readers. */
export interface EventClient {
  /** Owners take turns; all readers of one owner share its turns. */
  readonly owner: string;
  /**
   * Charges the client for a page of a replay before it is read. `weight` is the number of events about
   * digests that cost as much to read. Returns 0; or charges nothing and returns the milliseconds after
   * which to try again. Does not throw.
   */
  charge(weight: number): number;
}

export interface ReaderLimits {
  /** Bytes that the client has not read above which events wait. */
  readonly buffered: number;
  /** Maximum of waiting events; one more disconnects the reader. */
  readonly queue: number;
  /** Consecutive ticks without a byte read after which a full reader is disconnected. */
  readonly stalledTicks: number;
}

/** The parts of its feed that a reader needs. */
export interface EventReaderContext {
  readonly networkId: string;
  readonly heartbeatSeconds: number;
  readonly limits: ReaderLimits;
  /** Calls {@linkcode EventReader.tick} periodically while it returns true. */
  readonly startTicks: (reader: EventReader) => void;
  /** Events wait for the reader, which may have room. */
  readonly ready: (reader: EventReader) => void;
  readonly left: (reader: EventReader) => void;
}

export class EventReader implements ChannelReader {
  readonly filter: EventFilter;
  readonly client: EventClient;
  readonly #sink: EventSink;
  readonly #context: EventReaderContext;
  readonly #leaving = new AbortController();
  #channel: EventChannel | undefined;
  #position = 0;
  #cursor = "";
  #bufferedBefore = 0;
  #stalledTicks = 0;
  #onRoom: (() => void) | undefined;

  constructor(
    filter: EventFilter,
    client: EventClient,
    sink: EventSink,
    context: EventReaderContext,
  ) {
    this.filter = filter;
    this.client = client;
    this.#sink = sink;
    this.#context = context;
  }

  /** The client is gone, or was disconnected. */
  get hasLeft(): boolean {
    return this.#leaving.signal.aborted;
  }

  /** Aborted when the reader leaves. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  get position(): number {
    return this.#position;
  }

  /** Sends `hello`, and `gap` when the requested cursor is unknown. */
  begin(position: EventPosition, hasGap: boolean): void {
    const cursor = encodeCursor(position);
    const { networkId, heartbeatSeconds } = this.#context;
    const hello = {
      type: "hello",
      network_id: networkId,
      cursor,
      heartbeat_seconds: heartbeatSeconds,
    };
    this.#cursor = cursor;
    this.#sendFrame(hello, cursor);
    if (hasGap) this.#sendFrame({ type: "gap" });
  }

  send(page: EventPage): void {
    if (this.hasLeft) return;
    this.#cursor = page.frames.at(-1)!.id!;
    this.#sink.send(page);
  }

  /** Resolves when there is room for another page, or the reader has left. */
  async room(): Promise<void> {
    if (!this.hasLeft && !this.#hasRoom) {
      await new Promise<void>((resolve) => this.#waitForRoom(resolve));
    }
  }

  /** Ends the replay: the reader sends the next events of `channel`. */
  join(channel: EventChannel): void {
    this.#channel = channel;
    this.#position = channel.end;
  }

  notify(count: number): void {
    const waiting = this.#channel!.end - count - this.#position;
    if (waiting > this.#context.limits.queue) this.disconnect("lagged");
    else if (this.#onRoom === undefined) this.#context.ready(this);
  }

  /** Sends the next page if there is room; returns false when nothing more can be sent now. */
  sendNext(): boolean {
    if (this.hasLeft || this.#onRoom !== undefined) return false;
    const channel = this.#channel!;
    const page = channel.pageAt(this.#position);
    if (page === undefined) return false;
    if (!this.#hasRoom) {
      this.#waitForRoom(() => this.#context.ready(this));
      return false;
    }
    this.#position += page.frames.length;
    this.send(page);
    return this.#position < channel.end;
  }

  /** Checks for room; returns false when the reader no longer waits for it. */
  tick(): boolean {
    if (this.hasLeft || this.#onRoom === undefined) return false;
    const { buffered } = this.#sink;
    if (this.#hasRoom) {
      const onRoom = this.#onRoom;
      this.#onRoom = undefined;
      onRoom();
      return false;
    }
    this.#stalledTicks = buffered < this.#bufferedBefore ? 0 : this.#stalledTicks + 1;
    this.#bufferedBefore = buffered;
    if (this.#stalledTicks < this.#context.limits.stalledTicks) return true;
    this.disconnect("lagged");
    return false;
  }

  disconnect(reason: DisconnectReason): void {
    if (this.hasLeft) return;
    this.leave();
    if (reason === "lagged") this.#sendFrame({ type: "lagged", cursor: this.#cursor });
    this.#sink.end(reason);
  }

  /** The client is gone. */
  leave(): void {
    if (this.hasLeft) return;
    this.#leaving.abort();
    this.#context.left(this);
    this.#onRoom?.();
    this.#onRoom = undefined;
  }

  get #hasRoom(): boolean {
    return this.#sink.buffered < this.#context.limits.buffered;
  }

  #sendFrame(frame: { readonly type: string; readonly cursor?: string }, id?: string): void {
    const json = JSON.stringify(frame);
    this.#sink.send(new EventPage([{ type: frame.type, json, id }]));
  }

  #waitForRoom(onRoom: () => void): void {
    this.#onRoom = onRoom;
    this.#bufferedBefore = this.#sink.buffered;
    this.#stalledTicks = 0;
    this.#context.startTicks(this);
  }
}

/** Share of the thread's time that sending may take. */
const SHARE = 0.25;
/** Milliseconds after which a slice ends. */
const SLICE_MS = 1;
/** Maximum pages of a slice: the runtime and the system then take as long again to write them. */
const PAGES_PER_SLICE = 16;

export interface ServedReader {
  readonly client: { readonly owner: string };
  /** Sends the next page if there is room; returns false when nothing more can be sent now. */
  sendNext(): boolean;
}

export class EventSender {
  readonly #clock: Clock;
  readonly #turns: FairTurns;
  /** Readers with waiting events, by client in the order of turns. */
  readonly #ready = new Map<string, Set<ServedReader>>();
  #isSending = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#turns = new FairTurns(clock, { share: SHARE });
  }

  /** Call when events wait for `reader`. */
  add(reader: ServedReader): void {
    this.#ready.getOrInsertComputed(reader.client.owner, () => new Set()).add(reader);
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#ready.size > 0) {
      await this.#turns.run("", async () => {
        const endMs = this.#clock.nowMs() + SLICE_MS;
        for (let page = 0; page < PAGES_PER_SLICE && this.#ready.size > 0; page++) {
          this.#sendOne();
          if (this.#clock.nowMs() >= endMs) break;
        }
        // Bytes leave the process after this turn of the event loop: the slice has to include that.
        await this.#clock.sleep(0);
      });
    }
    this.#isSending = false;
  }

  #sendOne(): void {
    for (const [owner, readers] of this.#ready) {
      for (const reader of readers) {
        readers.delete(reader);
        if (reader.sendNext()) readers.add(reader);
        break;
      }
      // Behind the other clients, or out of the map.
      this.#ready.delete(owner);
      if (readers.size > 0) this.#ready.set(owner, readers);
      return;
    }
  }
}
