/**
 * Events as Server-Sent Events (HTML section 9.2): `data` is the frame that a WebSocket would carry,
 * `event` its type and `id` its cursor; a comment is the heartbeat.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../base/bytes.ts";
import type { EventSubscription } from "../../gateway/events/event_feed.ts";
import type { EventPage } from "../../gateway/events/event_page.ts";
import type { EventSink } from "../../gateway/events/event_reader.ts";
import { FEED_LIMITS, STREAM_END_MS } from "./event_bounds.ts";

export const EVENT_STREAM_MEDIA_TYPE = "text/event-stream";

/** Headers of every answer of the route; the last one turns off a proxy's buffering. */
export const EVENT_STREAM_HEADERS = {
  "Content-Type": EVENT_STREAM_MEDIA_TYPE,
  "Cache-Control": "no-store",
  "X-Accel-Buffering": "no",
} as const;

/** Milliseconds after which a client reconnects. */
const RETRY_MS = 2_000;

const HEARTBEAT = utf8(": heartbeat\n\n");

/** The body of an answer. Closes `subscription` once the stream has ended. */
export function eventStream(subscription: EventSubscription): ReadableStream<Uint8Array> {
  let sink: StreamSink;
  return new ReadableStream<Bytes>({
    start(controller) {
      sink = new StreamSink(controller, () => subscription.close());
      subscription.read(sink);
    },
    pull: () => sink.drained(),
    cancel: () => sink.close(),
  }, { highWaterMark: 0, size: ({ length }) => length });
}

class StreamSink implements EventSink {
  readonly #controller: ReadableStreamDefaultController<Bytes>;
  readonly #closed: () => void;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #state: "open" | "ending" | "closed" = "open";

  constructor(controller: ReadableStreamDefaultController<Bytes>, closed: () => void) {
    this.#controller = controller;
    this.#closed = closed;
    this.#heartbeat = setInterval(() => {
      if (this.buffered === 0) this.#enqueue(HEARTBEAT);
    }, FEED_LIMITS.heartbeatSeconds * 1000);
    this.#enqueue(utf8(`retry: ${RETRY_MS}\n`));
  }

  get buffered(): number {
    return -(this.#controller.desiredSize ?? 0);
  }

  send({ sseBytes }: EventPage): void {
    this.#enqueue(sseBytes);
  }

  end(): void {
    if (this.#state !== "open") return;
    this.#state = "ending";
    if (this.buffered === 0) return this.close();
    this.#deadline = setTimeout(() => {
      this.#controller.error(new Error("not read in time"));
      this.close();
    }, STREAM_END_MS);
  }

  /** Called when the client has read everything. */
  drained(): void {
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
      // Cancelled or failed: it is closed already.
    }
    this.#closed();
  }

  #enqueue(bytes: Bytes): void {
    if (this.#state === "open") this.#controller.enqueue(bytes);
  }
}
