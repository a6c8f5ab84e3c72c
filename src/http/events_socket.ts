/**
 * Events over one WebSocket (RFC 6455), on the runtime's own upgrade. It has no bound on what a client
 * sends and nothing that ends a connection: a gateway that limits its clients uses
 * `event_socket_listener.ts`.
 *
 * @module
 */

import type { EventClient } from "../gateway/event_client.ts";
import type { EventFeed, EventSeat, EventStart } from "../gateway/event_feed.ts";
import type { EventFilter } from "../gateway/event_filter.ts";
import type { EventPage } from "../gateway/event_page.ts";
import type { EventEnd, EventReader, EventSink } from "../gateway/event_reader.ts";
import { CLOSE_CODE, GAP_FRAME, helloFrame, laggedFrame } from "./events_frames.ts";
import { EVENTS_SUBPROTOCOL } from "./events_request.ts";
import { HEARTBEAT_SECONDS, SOCKET_BOUNDS } from "./limits.ts";

/** What one socket is opened with. */
export interface SocketContext {
  readonly feed: EventFeed;
  readonly seat: EventSeat;
  readonly filter: EventFilter;
  readonly start: EventStart;
  /** Absent where clients are not told apart. */
  readonly client: EventClient | undefined;
  /** Whether the client named our subprotocol. */
  readonly named: boolean;
}

/**
 * Answers a handshake that was checked. Reading begins when the socket is open; the seat is left when
 * it is closed and not before: one that waits for its client to agree still holds memory. Of a client
 * that is reset before its socket opens, the runtime says nothing: its seat is left after a while.
 */
export function upgradeToEvents(request: Request, context: SocketContext): Response {
  const { feed, seat, filter, start, client, named } = context;
  const { socket, response } = Deno.upgradeWebSocket(request, {
    ...(named && { protocol: EVENTS_SUBPROTOCOL }),
    // The runtime pings at half of it, and gives up who has not answered at the end.
    idleTimeout: 2 * HEARTBEAT_SECONDS,
  });
  let reader: EventReader | undefined;
  const leave = () => {
    clearTimeout(deadline);
    reader?.leave();
    seat.leave();
  };
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    leave();
  }, SOCKET_BOUNDS.handshakeMs);
  socket.onopen = () => {
    clearTimeout(deadline);
    // Another reader may have its seat by now.
    if (isLate) return socket.close();
    reader = feed.read(filter, start, new SocketSink(socket, feed.networkId), client);
  };
  socket.onclose = leave;
  socket.onerror = () => {
    // One that never opened is not closed either.
    if (reader === undefined || socket.readyState === WebSocket.CLOSED) leave();
  };
  // Nobody has to be heard here: what a client could send in time is no load worth taking.
  socket.onmessage = () => {
    reader?.leave();
    socket.close(CLOSE_CODE.spoke, "this stream takes no messages");
  };
  return response;
}

class SocketSink implements EventSink {
  readonly #socket: WebSocket;
  readonly #networkId: string;

  constructor(socket: WebSocket, networkId: string) {
    this.#socket = socket;
    this.#networkId = networkId;
  }

  get buffered(): number {
    return this.#socket.bufferedAmount;
  }

  hello(cursor: string): void {
    this.#send(helloFrame(this.#networkId, cursor));
  }

  gap(): void {
    this.#send(GAP_FRAME);
  }

  send({ events }: EventPage): void {
    for (const { json } of events) this.#send(json);
  }

  end(reason: EventEnd, cursor: string): void {
    if (reason === "lagged") this.#send(laggedFrame(cursor));
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.close(CLOSE_CODE[reason], reason);
    }
  }

  #send(text: string): void {
    // Of a socket that is closing nobody reads.
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }
}
