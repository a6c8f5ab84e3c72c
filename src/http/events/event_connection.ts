/**
 * One WebSocket of the listener for event sockets, after its handshake. Unlike a socket of the runtime
 * it holds at most one control frame of its client, and can be destroyed at any time.
 *
 * @module
 */

import { type Bytes, concat } from "../../base/bytes.ts";
import type { EventSubscription } from "../../gateway/events/event_feed.ts";
import type { EventPage } from "../../gateway/events/event_page.ts";
import type {
  DisconnectReason,
  EventReader,
  EventSink,
} from "../../gateway/events/event_reader.ts";
import { FEED_LIMITS, SOCKET_BOUNDS } from "./event_bounds.ts";
import {
  type ClientFrame,
  ClientFrames,
  CLOSE_CODE,
  closeFrame,
  pingFrame,
  pongFrame,
} from "./websocket_frames.ts";

/** Size of one read: larger than any frame that a client may send. */
const READ_BYTES = 512;

export class EventConnection implements EventSink {
  readonly #connection: Deno.TcpConn;
  readonly #closed: () => void;
  readonly #frames = new ClientFrames();
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #state: "open" | "closing" | "closed" = "open";
  #queue: Bytes[] = [];
  /** Bytes in the queue and in the write in flight. */
  #buffered = 0;
  #isWriting = false;
  /** Control frames since the last heartbeat. */
  #controlFrames = 0;
  #isPingAnswered = true;
  #discarded = 0;
  #reader: EventReader | undefined;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  /** Calls `closed` once, when the connection is closed and its descriptor free. */
  constructor(connection: Deno.TcpConn, closed: () => void) {
    this.#connection = connection;
    this.#closed = closed;
    this.#heartbeat = setInterval(() => this.#beat(), FEED_LIMITS.heartbeatSeconds * 1000);
  }

  /** Sends `head`, the answer to the handshake; `early` is what followed the client's head. */
  open(head: Bytes, early: Bytes): void {
    this.#write(head);
    this.#receive(early);
    this.#readAll();
  }

  /** Sends the events of `subscription`. */
  follow(subscription: EventSubscription): void {
    if (this.#state === "closed") return;
    this.#reader = subscription.read(this);
    if (this.#state !== "open") this.#reader.leave();
  }

  get buffered(): number {
    return this.#buffered;
  }

  send({ webSocketBytes }: EventPage): void {
    this.#write(webSocketBytes);
  }

  end(reason: DisconnectReason): void {
    this.#close(closeFrame(CLOSE_CODE[reason], reason));
  }

  /** Closes the connection at once and discards what was not written. */
  destroy(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    clearInterval(this.#heartbeat);
    clearTimeout(this.#deadline);
    this.#queue = [];
    this.#connection.close();
    this.#reader?.leave();
    this.#closed();
  }

  #write(bytes: Bytes): void {
    if (this.#state !== "open") return;
    this.#queue.push(bytes);
    this.#buffered += bytes.length;
    if (!this.#isWriting) this.#flush().catch(() => this.destroy());
  }

  /** Writes the queue. Rejects when the connection is lost or destroyed. */
  async #flush(): Promise<void> {
    this.#isWriting = true;
    while (this.#queue.length > 0) {
      const queue = this.#queue;
      this.#queue = [];
      // One write sends everything queued during the previous one.
      const bytes = queue.length === 1 ? queue[0]! : concat(...queue);
      for (let sent = 0; sent < bytes.length;) {
        const count = await this.#connection.write(bytes.subarray(sent));
        sent += count;
        this.#buffered -= count;
      }
    }
    this.#isWriting = false;
    if (this.#state === "closing") await this.#connection.closeWrite();
  }

  /** Sends Close as the last frame, then waits for the client to end (RFC 6455 section 7.1.1). */
  #close(frame: Bytes): void {
    if (this.#state !== "open") return;
    this.#write(frame);
    this.#state = "closing";
    clearInterval(this.#heartbeat);
    this.#deadline = setTimeout(() => this.destroy(), SOCKET_BOUNDS.closeMs);
    this.#reader?.leave();
  }

  async #readAll(): Promise<void> {
    const buffer = new Uint8Array(READ_BYTES);
    try {
      for (;;) {
        const length = await this.#connection.read(buffer);
        if (length === null) return this.destroy();
        this.#receive(buffer.subarray(0, length));
      }
    } catch {
      // The client reset the connection, or it was closed here.
      this.destroy();
    }
  }

  #receive(bytes: Bytes): void {
    if (this.#state === "open") {
      for (const frame of this.#frames.read(bytes)) this.#answer(frame);
    } else {
      this.#discarded += bytes.length;
      if (this.#discarded > SOCKET_BOUNDS.discardedBytes) this.destroy();
    }
  }

  #answer(frame: ClientFrame): void {
    if (frame.kind === "violation") return this.#close(closeFrame(frame.code, frame.reason));
    if (++this.#controlFrames > SOCKET_BOUNDS.controlFrames) {
      return this.#close(closeFrame(CLOSE_CODE.message, "too many control frames"));
    }
    if (frame.kind === "ping") this.#write(pongFrame(frame.payload));
    else if (frame.kind === "pong") this.#isPingAnswered = true;
    else this.#close(closeFrame(closeCodeOf(frame.payload)));
  }

  #beat(): void {
    if (!this.#isPingAnswered) return this.destroy();
    this.#controlFrames = 0;
    this.#isPingAnswered = false;
    this.#write(pingFrame());
  }
}

/** The code of a client's Close frame: the answer repeats it. */
function closeCodeOf(payload: Bytes): number | undefined {
  return payload.length === 0 ? undefined : payload[0]! << 8 | payload[1]!;
}
