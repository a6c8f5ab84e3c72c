/**
 * Events as Server-Sent Events (HTML section 9.2): `data` is the frame that a socket would carry,
 * `event` its type and `id` its cursor; a comment is the heartbeat.
 *
 * @module
 */

import { type Bytes, utf8 } from "../bytes.ts";
import type { EventClient } from "../gateway/event_client.ts";
import type { EventFeed, EventSeat, EventStart } from "../gateway/event_feed.ts";
import type { EventFilter } from "../gateway/event_filter.ts";
import type { EventPage } from "../gateway/event_page.ts";
import type { EventEnd, EventReader, EventSink } from "../gateway/event_reader.ts";
import { GAP_FRAME, helloFrame, laggedFrame } from "./events_frames.ts";
import { HEARTBEAT_SECONDS, STREAM_END_MS } from "./limits.ts";

export const EVENT_STREAM_MEDIA_TYPE = "text/event-stream";

/** Of every answer of the route: proxies keep nothing back. */
export const EVENT_STREAM_HEADERS = {
  "Content-Type": EVENT_STREAM_MEDIA_TYPE,
  "Cache-Control": "no-store",
  "X-Accel-Buffering": "no",
} as const;

/** Milliseconds after which a client comes back that lost its stream. */
const RETRY_MS = 2_000;

const HEARTBEAT = utf8(": heartbeat\n\n");

/** What one stream is opened with. */
export interface StreamContext {
  readonly feed: EventFeed;
  readonly seat: EventSeat;
  readonly filter: EventFilter;
  readonly start: EventStart;
  /** Absent where clients are not told apart. */
  readonly client: EventClient | undefined;
}

/** The body of an answer; the seat is left when the stream has ended, or its client has gone. */
export function eventStream(context: StreamContext): ReadableStream<Uint8Array> {
  const { feed, seat, filter, start, client } = context;
  let sink: StreamSink;
  let reader: EventReader | undefined;
  return new ReadableStream<Bytes>({
    start(controller) {
      sink = new StreamSink(controller, { networkId: feed.networkId, ended: () => seat.leave() });
      reader = feed.read(filter, start, sink, client);
    },
    pull: () => sink.taken(),
    cancel() {
      reader?.leave();
      sink.close();
    },
  }, { highWaterMark: 0, size: ({ length }) => length });
}

class StreamSink implements EventSink {
  readonly #controller: ReadableStreamDefaultController<Bytes>;
  readonly #networkId: string;
  readonly #ended: () => void;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #state: "open" | "ending" | "closed" = "open";

  constructor(
    controller: ReadableStreamDefaultController<Bytes>,
    { networkId, ended }: { readonly networkId: string; readonly ended: () => void },
  ) {
    this.#controller = controller;
    this.#networkId = networkId;
    this.#ended = ended;
    this.#heartbeat = setInterval(() => {
      if (this.buffered === 0) this.#enqueue(HEARTBEAT);
    }, HEARTBEAT_SECONDS * 1000);
    this.#enqueue(utf8(`retry: ${RETRY_MS}\n`));
  }

  get buffered(): number {
    return -(this.#controller.desiredSize ?? 0);
  }

  hello(cursor: string): void {
    this.#frame("hello", helloFrame(this.#networkId, cursor), cursor);
  }

  gap(): void {
    this.#frame("gap", GAP_FRAME);
  }

  send({ sseBytes }: EventPage): void {
    this.#enqueue(sseBytes);
  }

  end(reason: EventEnd, cursor: string): void {
    if (this.#state !== "open") return;
    if (reason === "lagged") this.#frame("lagged", laggedFrame(cursor));
    this.#state = "ending";
    if (this.buffered === 0) return this.close();
    // Whoever does not read is cut off: what is kept for a reader that does not come is lost anyway.
    this.#deadline = setTimeout(() => {
      this.#controller.error(new Error("not read in time"));
      this.close();
    }, STREAM_END_MS);
  }

  /** All that was handed over is taken. */
  taken(): void {
    if (this.#state === "ending" && this.buffered <= 0) this.close();
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    clearInterval(this.#heartbeat);
    clearTimeout(this.#deadline);
    try {
      this.#controller.close();
    } catch {
      // Cancelled, or cut off: it is closed already.
    }
    this.#ended();
  }

  #frame(type: string, json: string, id?: string): void {
    const idLine = id === undefined ? "" : `id: ${id}\n`;
    this.#enqueue(utf8(`event: ${type}\n${idLine}data: ${json}\n\n`));
  }

  #enqueue(bytes: Bytes): void {
    if (this.#state === "open") this.#controller.enqueue(bytes);
  }
}
